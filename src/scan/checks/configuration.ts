import { type Check, pass, warningResult } from "../check.ts";

/** Checks that a run accepts the configuration, with the changes from the environment. */
export const configuration: Check = {
  name: "configuration",
  needs: [],
  run: async (context) => {
    const { warnings } = await context.config();
    const path = context.configPath;
    if (warnings.length === 0) return pass(`${path} is valid`, { path });
    return warningResult(
      [`${path} is valid, but:`, ...warnings.map((line) => `  ${line}`)].join("\n"),
      {
        path,
        remedy: `Fix ${path} at these places.`,
      },
    );
  },
};
