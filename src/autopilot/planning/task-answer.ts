import * as z from "zod";
import type { Task } from "../../schema/tasks/prd.ts";
import { type Judged, judgeShape, lines, longText, oneLine } from "../llm/read-answer.ts";
import { itemKeywords } from "../reports/fingerprint.ts";
import type { TaskRange } from "./tasks-prompt.ts";

/** A task of ours, and the requirements it says it works on. */
export type DraftedTask = { task: Task; requirements: readonly string[] };

/** More than anybody asked for is not even looked at. */
const maxTasks = 999;

const AnswerTask = z.object({
  title: oneLine(100).pipe(z.string().min(1)),
  description: longText(2000).pipe(z.string().min(1)),
  // A command that is cut would be another command, so what is too long is refused.
  acceptanceCriteria: z
    .array(z.string().max(500))
    .pipe(lines(20, 500))
    .pipe(z.array(z.string()).min(1)),
  priority: z.number().catch(Number.POSITIVE_INFINITY),
  requiresTests: z.boolean().catch(true),
  requirements: lines(50, 20).catch([]),
});
type AnswerTask = z.output<typeof AnswerTask>;

const Answer = z.object({ tasks: z.array(z.unknown()) });

/**
 * The tasks of an answer in our form: ids and priorities numbered by us in the order of its priorities, nothing passed,
 * repeated ones left out. Too few or too many are refused.
 */
export function judgeTasks(value: unknown, range: TaskRange): Judged<DraftedTask[]> {
  const outer = judgeShape(Answer, value);
  if (outer.kind === "bad") return outer;
  const { length } = outer.data.tasks;
  if (length > maxTasks) return wrongCount(`tasks has ${length} entries`, range);
  // One task that is far off must not cost the reading of a thousand.
  const checked = judgeShape(z.object({ tasks: z.array(AnswerTask) }), value);
  if (checked.kind === "bad") return checked;
  const distinct = withoutRepeats(checked.data.tasks);
  const repeated = checked.data.tasks.length - distinct.length;
  if (distinct.length < range.min || distinct.length > range.max) {
    const also = repeated > 0 ? ` (${repeated} repeated ones not counted)` : "";
    return wrongCount(`tasks has ${distinct.length} entries${also}`, range);
  }
  return { kind: "good", data: inOrder(distinct).map(toTask) };
}

function wrongCount(found: string, { min, max }: TaskRange): Judged<never> {
  const wanted = min === max ? `${min}` : `${min} to ${max}`;
  return { kind: "bad", problems: [`${found}; write ${wanted}`] };
}

/** The same words in the title are the same task. */
function withoutRepeats(tasks: readonly AnswerTask[]): AnswerTask[] {
  const seen = new Set<string>();
  return tasks.filter(({ title }) => {
    const key = itemKeywords(title).join(" ") || title.toLowerCase();
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

const inOrder = (tasks: readonly AnswerTask[]) =>
  tasks.toSorted((a, b) => (a.priority === b.priority ? 0 : a.priority - b.priority));

function toTask(answer: AnswerTask, at: number): DraftedTask {
  const { title, description, acceptanceCriteria, requiresTests, requirements } = answer;
  const task: Task = {
    id: `T-${String(at + 1).padStart(3, "0")}`,
    title,
    description,
    acceptanceCriteria,
    priority: at + 1,
    passes: false,
    notes: "",
    ...(!requiresTests && { requiresTests }),
  };
  return { task, requirements: requirements.map((id) => id.toUpperCase()) };
}
