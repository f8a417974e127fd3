import { Config } from "../schema/config/config.ts";
import { counted } from "../text/figures.ts";

/** What a configuration says beyond the defaults; the variables of a test program are only counted. */
export function chosenSettings(config: Config): unknown {
  return differing(shown(config), shown(Config.parse(leastConfig))) ?? {};
}

const leastConfig = {
  version: "1",
  task_source: { type: "prd_json", path: "-" },
  gates: { full: [] },
  git: { base_branch: "none" },
};

function shown({ skills: _, ...config }: Config) {
  const { ui } = config;
  const variables = counted(Object.keys(ui.robot.variables).length, "variable");
  return { ...config, ui: { ...ui, robot: { ...ui.robot, variables } } };
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
