import { type Check, failure, pass } from "../check.ts";

const oldest = 24;

/** Checks the version of Node: npm does not enforce the one in package.json. */
export const node: Check = {
  name: "node",
  needs: [],
  run: async () => {
    const { node: version } = process.versions;
    const found = { version, path: process.execPath };
    if (Number.parseInt(version, 10) >= oldest) return pass(`Node ${version}`, found);
    return failure(`ralph needs Node ${oldest} or newer; this is ${version}.`, {
      ...found,
      remedy: `Install Node ${oldest}, or switch to it with your version manager.`,
    });
  },
};
