import { errorAt, type Finding, warningAt } from "../base/finding.ts";
import { repeats } from "../base/repeats.ts";
import type { ConfigRule } from "./config-sketch.ts";
import { type Gate, gateLevels } from "./gates.ts";

/** Rules about gates and setup steps. */
export const gateRules: ConfigRule[] = [
  ({ setup = [] }) => [...repeatedNames(["setup"], setup), ...criteria(["setup"], setup)],
  ({ gates }) =>
    gateLevels.flatMap((level) => {
      const list = gates?.[level] ?? [];
      const path = ["gates", level];
      return [...repeatedNames(path, list), ...criteria(path, list), ...reports(path, list)];
    }),
  ({ gates }) =>
    gates ? [...ambiguousNames(gates.build, gates.full), ...weakness(gates.full)] : [],
];

function repeatedNames(path: PropertyKey[], steps: readonly { name: string }[]): Finding[] {
  return repeats(steps, ({ name }) => name).map(({ item, index }) =>
    errorAt([...path, index, "name"], `repeats "${item.name}"; give each its own name`),
  );
}

/** An acceptance criterion is not a command: a shell would search for a program named Run. */
function criteria(path: PropertyKey[], steps: readonly { cmd: string }[]): Finding[] {
  return steps.flatMap(({ cmd }, index) => {
    const [, command] = /^\s*Run `([^`]+)`/i.exec(cmd) ?? [];
    if (command === undefined) return [];
    return errorAt([...path, index, "cmd"], `is a criterion, not a command; write ${command}`);
  });
}

/** A score without a report, or a report that nothing reads. */
function reports(path: PropertyKey[], gates: readonly Gate[]): Finding[] {
  return gates.flatMap(({ kind, report }, index) => {
    if ((kind === "mutation") === (report !== undefined)) return [];
    return report === undefined
      ? errorAt([...path, index, "kind"], "needs `report`, the JSON file that the tool writes")
      : errorAt([...path, index, "report"], "is read with `kind: mutation` only; add that");
  });
}

/** Logs are kept by name, so one name over both levels has to mean one command. */
function ambiguousNames(build: readonly Gate[], full: readonly Gate[]): Finding[] {
  const commands = new Map(build.map(({ name, cmd }) => [name, cmd]));
  return full.flatMap(({ name, cmd }, index) => {
    if ((commands.get(name) ?? cmd) === cmd) return [];
    const message = `differs from the gate "${name}" in gates.build; rename one of the two`;
    return errorAt(["gates", "full", index, "cmd"], message);
  });
}

function weakness(full: readonly Gate[]): Finding[] {
  if (full.some(({ fatal }) => fatal)) return [];
  const message = "has no fatal gate, so no command decides whether a task is done";
  return [warningAt(["gates", "full"], message)];
}
