import { type Checked, checkShape, conclude } from "../base/check-shape.ts";
import { errorAt, type Finding, warningAt } from "../base/finding.ts";
import { repeats } from "../base/repeats.ts";
import { unknownKeys } from "../base/unknown-keys.ts";
import { checkDependencies } from "./check-dependencies.ts";
import { Prd, strictBranchName, wideBranchName } from "./prd.ts";
import { PrdSketch } from "./prd-sketch.ts";

/**
 * All errors and warnings of a task list at once (specs 004 8.2). An empty list is a warning here; callers that need
 * tasks check `tasks.length`.
 */
export function checkPrd(value: unknown): Checked<Prd> {
  const sketch = PrdSketch.parse(value);
  const ruled = [...rules.flatMap((rule) => rule(sketch)), ...unusedKeys(value)];
  return conclude(checkShape(Prd, value), ruled);
}

type Rule = (prd: PrdSketch) => Finding[];

const rules: Rule[] = [
  repeatedIds,
  strangeSubtasks,
  ({ tasks = [] }) => checkDependencies(tasks),
  earlyPasses,
  oddPriorities,
  oddBranchName,
  emptyList,
];

function repeatedIds({ tasks = [] }: PrdSketch): Finding[] {
  return repeats(tasks, ({ id }) => id).map(({ item, index, first }) =>
    errorAt(
      ["tasks", index, "id"],
      `repeats "${item.id}" of tasks[${first}]; give each task its own id`,
    ),
  );
}

function strangeSubtasks({ tasks = [] }: PrdSketch): Finding[] {
  return tasks.flatMap(({ id: parent, subtasks }, at) => {
    const path = (index: number) => ["tasks", at, "subtasks", index, "id"];
    const misplaced = subtasks.flatMap(({ id }, index) =>
      id === undefined || parent === undefined || id.startsWith(`${parent}.`)
        ? []
        : [errorAt(path(index), `must start with "${parent}."`)],
    );
    const repeated = repeats(subtasks, ({ id }) => id).map(({ item, index }) =>
      errorAt(path(index), `repeats "${item.id}"; give each subtask its own id`),
    );
    return [...misplaced, ...repeated];
  });
}

function earlyPasses({ tasks = [] }: PrdSketch): Finding[] {
  return tasks.flatMap(({ passes, subtasks }, at) =>
    passes === true && subtasks.some((subtask) => subtask.passes === false)
      ? [warningAt(["tasks", at, "passes"], "is true although a subtask has not passed")]
      : [],
  );
}

function oddPriorities({ tasks = [] }: PrdSketch): Finding[] {
  const used = tasks.flatMap(({ priority = 0 }) => (isPriority(priority) ? priority : []));
  const levels = [...new Set(used)].toSorted((a, b) => a - b);
  const shared = [...new Set(repeats(used, (priority) => priority).map(({ item }) => item))];
  const jump = levels.find((level, index) => level !== index + 1);
  const messages = [
    shared.length > 0
      ? `use priority ${shared.join(", ")} more than once; such tasks have no order between them`
      : [],
    jump === undefined ? [] : `leave a gap in the priorities before ${jump}`,
  ].flat();
  return messages.map((message) => warningAt(["tasks"], message));
}

const isPriority = (number: number) => Number.isInteger(number) && number >= 1;

function oddBranchName({ branchName }: PrdSketch): Finding[] {
  // The schema reports names that are not even in the wide form.
  if (branchName === undefined || !wideBranchName.test(branchName)) return [];
  if (strictBranchName.test(branchName)) return [];
  const message = "should only hold lower-case letters, digits, hyphens and slashes";
  return [warningAt(["branchName"], message)];
}

function emptyList({ tasks }: PrdSketch): Finding[] {
  if (tasks?.length !== 0) return [];
  return [warningAt(["tasks"], "is empty; add a task before `ralph run`")];
}

function unusedKeys(value: unknown): Finding[] {
  return unknownKeys(Prd, value).map(({ path, meant }) => {
    const hint = meant ? ` (did you mean "${meant}"?)` : "";
    return warningAt(path, `is not a known key; it is kept and not used${hint}`);
  });
}
