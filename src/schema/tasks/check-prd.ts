import { type Checked, checkShape, conclude } from "../base/check-shape.ts";
import { errorAt, type Finding, warningAt } from "../base/finding.ts";
import { repeats } from "../base/repeats.ts";
import { unknownKeys } from "../base/unknown-keys.ts";
import { laterTaskKeys } from "../config/later-keys.ts";
import { checkDependencies } from "./check-dependencies.ts";
import { Prd, strictBranchName, wideBranchName } from "./prd.ts";
import { PrdSketch } from "./prd-sketch.ts";

/** All errors and warnings of a task list (specs 004 8.2). Here an empty list is a warning; callers that need tasks check. */
export function checkPrd(value: unknown): Checked<Prd> {
  const sketch = PrdSketch.parse(value);
  const ruled = [...rules.flatMap((rule) => rule(sketch)), ...unusedKeys(value)];
  const shape = checkShape(Prd, value);
  if (shape.kind === "invalid") return conclude(shape, ruled);
  return conclude(shape, [...ruled, ...longTexts(shape.data), ...laterFields(shape.data)]);
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

/** Fields that are kept, and that no part of a run reads yet. */
function laterFields({ tasks }: Prd): Finding[] {
  return tasks.flatMap((task, at) =>
    laterTaskKeys
      .filter(({ key }) => task[key] !== undefined)
      .map(({ key, says }) => warningAt(["tasks", at, key], says)),
  );
}

/** Lengths that other tools accept (compatibility 1.16). */
function longTexts(prd: Prd): Finding[] {
  const long = (path: PropertyKey[], text: string, most: number) =>
    text.length > most
      ? [warningAt(path, `has ${text.length} characters; other tools accept ${most}`)]
      : [];
  return [
    ...long(["project"], prd.project, 200),
    ...long(["description"], prd.description, 500),
    ...prd.tasks.flatMap((task, at) => [
      ...long(["tasks", at, "description"], task.description, 2000),
      ...long(["tasks", at, "notes"], task.notes ?? "", 5000),
      ...task.acceptanceCriteria.flatMap((text, index) =>
        long(["tasks", at, "acceptanceCriteria", index], text, 500),
      ),
      ...(task.priority > 999
        ? [warningAt(["tasks", at, "priority"], "is over 999; other tools refuse it")]
        : []),
    ]),
  ];
}

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
        : errorAt(path(index), `must start with "${parent}."`),
    );
    const repeated = repeats(subtasks, ({ id }) => id).map(({ item, index }) =>
      errorAt(path(index), `repeats "${item.id}"; give each subtask its own id`),
    );
    return [...misplaced, ...repeated];
  });
}

function earlyPasses({ tasks = [] }: PrdSketch): Finding[] {
  const message = "is true although a subtask has not passed; the task counts as open";
  return tasks.flatMap(({ passes, subtasks }, at) =>
    passes === true && subtasks.some((subtask) => subtask.passes === false)
      ? warningAt(["tasks", at, "passes"], message)
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
