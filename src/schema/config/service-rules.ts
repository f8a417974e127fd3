import { errorAt, type Finding } from "../base/finding.ts";
import { repeats } from "../base/repeats.ts";
import type { ConfigRule } from "./config-sketch.ts";
import { type Services, serviceEnvs } from "./services.ts";
import type { Ui } from "./ui.ts";
import { parseUiActions } from "./ui-action.ts";

/** Rules about services and user interface tests. */
export const serviceRules: ConfigRule[] = [
  ({ services = {} }) => [...sharedPorts(services), ...commandsOf(services)],
  ({ ui }) => (ui ? [...browserTests(ui), ...robotTests(ui)] : []),
];

function sharedPorts(services: Services): Finding[] {
  const list = Object.entries(services).map(([name, { port }]) => ({ name, port }));
  return repeats(list, ({ port }) => port).map(({ item: { name, port }, first }) => {
    const message = `is ${port}, the port of services.${list[first]?.name}; use another port`;
    return errorAt(["services", name, "port"], message);
  });
}

/** `start` and `serve` are synonyms, so together they must name each environment once. */
function commandsOf(services: Services): Finding[] {
  return Object.entries(services).flatMap(([name, { start = {}, serve = {} }]) => {
    const path = ["services", name];
    const commands = [start, serve].flatMap((each) => Object.values(each));
    if (commands.every((cmd) => cmd === undefined))
      return errorAt(path, "has no command to start it; add start.dev or serve.dev");
    return serviceEnvs
      .filter((env) => start[env] !== undefined && serve[env] !== undefined)
      .map((env) =>
        errorAt([...path, "serve", env], `is set in addition to start.${env}; keep one`),
      );
  });
}

function browserTests({ agent_browser: { enabled, script, tests } }: Ui): Finding[] {
  const path = ["ui", "agent_browser"];
  const twice = repeats(tests, ({ name }) => name).map(({ item, index }) =>
    errorAt([...path, "tests", index, "name"], `repeats "${item.name}"; give each its own name`),
  );
  if (enabled && script === undefined && tests.length === 0) {
    return [errorAt(path, "is enabled but has nothing to run; add script or tests")];
  }
  const actions = tests.flatMap(({ action }, index) => {
    const read = parseUiActions(action);
    return read.kind === "problem"
      ? errorAt([...path, "tests", index, "action"], read.message)
      : [];
  });
  return [...twice, ...actions];
}

function robotTests({ robot: { enabled, suite } }: Ui): Finding[] {
  if (!enabled || suite !== undefined) return [];
  return [errorAt(["ui", "robot"], "is enabled but has nothing to run; add suite")];
}
