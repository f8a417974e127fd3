import * as z from "zod";
import { checkClosed } from "./check-closed.ts";
import { type Checked, conclude } from "./check-shape.ts";
import { Autopilot } from "./config/autopilot.ts";
import { type Gate, Gates, SetupStep } from "./config/gates.ts";
import { Breaker } from "./config/limits.ts";
import { Services } from "./config/services.ts";
import { Config } from "./config.ts";
import type { Finding } from "./finding.ts";
import { repeats } from "./repeats.ts";

/**
 * Everything that is wrong or odd with a configuration, at once (specs 004 8.1). Whether a driver exists is
 * for those who know the drivers.
 */
export function checkConfig(value: unknown): Checked<Config> {
  const ruled = sections.flatMap((checkSection) => checkSection(value));
  return conclude(checkClosed(Config, value), ruled);
}

const sections = [
  section("gates", { schema: Gates, rule: checkGates }),
  section("setup", {
    schema: z.array(SetupStep),
    rule: (steps) => repeatedNames(["setup"], steps),
  }),
  section("services", { schema: Services, rule: checkServices }),
  section("autopilot", { schema: Autopilot, rule: checkCounts }),
  section("breaker", { schema: Breaker, rule: checkBackoff }),
];

/** A rule sees its section only when that is sound by itself, so a mistake elsewhere hides nothing here. */
function section<Schema extends z.ZodType>(
  key: keyof Config,
  { schema, rule }: { schema: Schema; rule: (data: z.output<Schema>) => Finding[] },
): (value: unknown) => Finding[] {
  const Sketch = z.object({ [key]: z.unknown().optional() });
  return (value) => {
    const parsed = schema.safeParse(Sketch.safeParse(value).data?.[key]);
    return parsed.success ? rule(parsed.data) : [];
  };
}

function error(path: readonly PropertyKey[], message: string): Finding {
  return { severity: "error", path, message };
}

function repeatedNames(path: PropertyKey[], steps: readonly { name: string }[]): Finding[] {
  return repeats(steps, ({ name }) => name).map(({ item, index }) =>
    error([...path, index, "name"], `repeats "${item.name}"; give each its own name`),
  );
}

function checkGates({ build, full }: Gates): Finding[] {
  return [
    ...repeatedNames(["gates", "build"], build),
    ...repeatedNames(["gates", "full"], full),
    ...ambiguousNames(build, full),
    ...weakness(full),
  ];
}

/** Logs are kept by name, so one name over both levels has to mean one command. */
function ambiguousNames(build: readonly Gate[], full: readonly Gate[]): Finding[] {
  const commands = new Map(build.map(({ name, cmd }) => [name, cmd]));
  return full.flatMap(({ name, cmd }, index) =>
    (commands.get(name) ?? cmd) === cmd
      ? []
      : [
          error(
            ["gates", "full", index, "cmd"],
            `differs from the gate "${name}" in gates.build; rename one of the two`,
          ),
        ],
  );
}

function weakness(full: readonly Gate[]): Finding[] {
  if (full.some(({ fatal }) => fatal)) return [];
  const message = "has no fatal gate, so none of your commands decides whether a task is done";
  return [{ severity: "warning", path: ["gates", "full"], message }];
}

function checkServices(services: Services): Finding[] {
  const list = Object.entries(services).map(([name, service]) => ({ name, ...service }));
  const shared = repeats(list, ({ port }) => port).map(({ item, first }) =>
    error(
      ["services", item.name, "port"],
      `is ${item.port}, the port of services.${list[first]?.name}; give each service its own`,
    ),
  );
  const idle = list
    .filter(({ start, serve }) => Object.keys({ ...start, ...serve }).length === 0)
    .map(({ name }) =>
      error(["services", name], "has no command to start it; add start.dev or serve.dev"),
    );
  return [...shared, ...idle];
}

function checkCounts({ tasks: { min_count, max_count } }: Autopilot): Finding[] {
  if (min_count <= max_count) return [];
  const message = `is ${min_count}, more than max_count, which is ${max_count}`;
  return [error(["autopilot", "tasks", "min_count"], message)];
}

function checkBackoff({ backoff, backoff_max }: Breaker): Finding[] {
  if (backoff <= backoff_max) return [];
  return [error(["breaker", "backoff"], "is longer than breaker.backoff_max")];
}
