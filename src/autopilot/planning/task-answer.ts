import * as z from "zod";
import type { Task } from "../../schema/tasks/prd.ts";
import { type Judged, judgeShape, lines, longText, oneLine } from "../llm/read-answer.ts";
import { itemKeywords } from "../reports/fingerprint.ts";

export type TaskRange = { min: number; max: number };

/** A task, and the requirements it claims to work on. */
export type DraftedTask = { task: Task; requirements: readonly string[] };

/** A longer answer is refused unread. */
const maxTasks = 999;

const AnswerTask = z.object({
  title: oneLine(100).pipe(z.string().min(1)),
  description: longText(2000).pipe(z.string().min(1)),
  // A command that is cut would be another command, so a criterion that is too long is refused.
  acceptanceCriteria: z
    .array(z.string().max(500))
    .pipe(lines(20, 500))
    .pipe(z.array(z.string()).min(1)),
  priority: z.number().catch(Number.POSITIVE_INFINITY),
  requiresTests: z.boolean().catch(true),
  requirements: lines(50, 20).catch([]),
});
type AnswerTask = z.output<typeof AnswerTask>;

/**
 * The tasks of an answer in the order of their priorities, with new ids and priorities, none passed, and without repeated
 * ones. Too few or too many are refused.
 */
export function judgeTasks(value: unknown, range: TaskRange): Judged<DraftedTask[]> {
  const outer = judgeShape(z.object({ tasks: z.array(z.unknown()) }), value);
  if (outer.kind === "bad") return outer;
  const { length } = outer.data.tasks;
  if (length > maxTasks) return wrongCount(`tasks has ${length} entries`, range);
  const checked = judgeShape(z.object({ tasks: z.array(AnswerTask) }), value);
  if (checked.kind === "bad") return checked;
  const distinct = withoutRepeats(checked.data.tasks);
  const repeated = checked.data.tasks.length - distinct.length;
  if (distinct.length < range.min || distinct.length > range.max) {
    const also = repeated > 0 ? ` (${repeated} repeated ones not counted)` : "";
    return wrongCount(`tasks has ${distinct.length} entries${also}`, range);
  }
  // A missing priority is infinite, and the difference of two such is not a number.
  const inOrder = distinct.toSorted((a, b) =>
    a.priority === b.priority ? 0 : a.priority - b.priority,
  );
  return { kind: "good", data: inOrder.map(toTask) };
}

function wrongCount(found: string, { min, max }: TaskRange): Judged<never> {
  const wanted = min === max ? `${min}` : `${min} to ${max}`;
  return { kind: "bad", problems: [`${found}; write ${wanted}`] };
}

/** Tasks with the same words in their titles are the same. */
function withoutRepeats(tasks: readonly AnswerTask[]): AnswerTask[] {
  const seen = new Set<string>();
  return tasks.filter(({ title }) => {
    const key = itemKeywords(title).join(" ") || title.toLowerCase();
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

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
