import { Config } from "../model/config.ts";

/** What a configuration says beyond the defaults; the variables of a test program are only counted. */
export function chosenSettings(config: Config): unknown {
  const { skills: _, ...known } = config;
  const variables = Object.keys(config.ui.robot.variables).length;
  const shown = {
    ...known,
    ui: { ...config.ui, robot: { ...config.ui.robot, variables: `${variables} variables` } },
  };
  return differing(shown, defaults()) ?? {};
}

function defaults(): unknown {
  const { version, ...rest } = Config.parse({
    version: "1",
    task_source: { type: "prd_json", path: "-" },
    gates: { full: [] },
    git: { base_branch: "none" },
  });
  return { ...rest, ui: { ...rest.ui, robot: { ...rest.ui.robot, variables: "0 variables" } } };
}

/** The parts of a value that are not the same in another one; undefined when there is none. */
function differing(value: unknown, other: unknown): unknown {
  if (JSON.stringify(value) === JSON.stringify(other)) return undefined;
  if (!isRecord(value) || !isRecord(other)) return value;
  const entries = Object.entries(value).flatMap(([key, member]) => {
    const part = differing(member, other[key]);
    return part === undefined ? [] : [[key, part] as const];
  });
  return Object.fromEntries(entries);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
