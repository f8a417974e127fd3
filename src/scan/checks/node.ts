import { type Check, failure, pass } from "../check.ts";

const oldest = 24;

/** The Node we run on; package.json asks for it, but nobody enforces that. */
export const node: Check = {
  name: "node",
  needs: [],
  run: async () => {
    const { node: version } = process.versions;
    const found = { version, path: process.execPath };
    if (Number.parseInt(version, 10) >= oldest) return pass(`Node ${version}`, found);
    return failure(`Node ${oldest} or newer is needed; this is ${version}.`, {
      ...found,
      remedy: `Install Node ${oldest}, or let your version manager switch to it.`,
    });
  },
};
