import { type Check, pass, warningResult } from "../check.ts";

/** The configuration, with what the environment changes in it, is one a run accepts. */
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
        remedy: `Correct ${path} at these places.`,
      },
    );
  },
};
