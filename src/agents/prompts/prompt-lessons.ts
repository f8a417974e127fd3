import { freshLessons, lastLesson } from "../../core/checks/lessons.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { parseGuardrails } from "../../schema/session-files/guardrails.ts";
import { renderData } from "./data-block.ts";
import type { PromptContext } from "./prompt-context.ts";

/** Most text for lessons in a prompt: 2000 tokens of about four characters (compatibility 5). */
const maxLength = 2000 * 4;

export type LessonSources = {
  /** Text of `.ralph/guardrails.md`; empty without it. */
  guardrails: string;
  state: Pick<SessionState, "tasks">;
  task: Pick<TaskState, "failures">;
};

type Entry = { key: string; text: string };

/** The lesson of a repeated error, then this session's, then the file's, newest first: as many whole entries as fit. */
export function chooseLessons({ guardrails, state, task }: LessonSources): string {
  const last = lastLesson(task);
  const filed = filedEntries(guardrails);
  const known = new Set(filed.map(({ key }) => key));
  const fresh = freshEntries(state).filter(({ key }) => !known.has(key));
  const isRecalled = ({ key }: Entry) => key === last?.key && (known.has(key) || last.times > 1);
  // An error that has occurred only once is in the feedback already.
  const isNews = ({ key }: Entry) => key !== last?.key;
  const all = [...fresh, ...filed.toReversed()];
  const recalled = all.filter(isRecalled).slice(0, 1);
  return withinBudget([
    ...recalled.map(({ text }) => `This has gone wrong again: ${text}`),
    ...all.filter(isNews).map(({ text }) => text),
  ]);
}

const filedEntries = (guardrails: string): Entry[] =>
  parseGuardrails(guardrails)
    .filter(({ instruction }) => instruction !== "")
    .map(({ id, instruction, trigger }) => ({
      key: id.slice(id.lastIndexOf("-") + 1),
      text: trigger === "" ? instruction : `${trigger}: ${instruction}`,
    }));

function freshEntries(state: Pick<SessionState, "tasks">): Entry[] {
  const lessons = freshLessons(state).map(({ key, feedback }) => [key, feedback] as const);
  return [...new Map(lessons)].map(([key, feedback]) => ({
    key,
    text: feedback.replace(/\s+/g, " ").slice(0, 400),
  }));
}

function withinBudget(entries: readonly string[]): string {
  const lines = entries.map((entry) => `- ${entry}`);
  let length = 0;
  const fitting = lines.findIndex((line) => {
    length += line.length + 1;
    return length > maxLength;
  });
  const count = fitting < 0 ? lines.length : fitting;
  const left = lines.length - count;
  const more = left > 0 ? [`(${left} more in .ralph/guardrails.md)`] : [];
  return [...lines.slice(0, count), ...more].join("\n");
}

/** Lessons of earlier tasks, as data, because agents have influenced their text (T07). */
export function renderLessons({ memory, fence }: PromptContext): string | undefined {
  const { signs = "" } = memory;
  if (signs === "") return undefined;
  // The last line counts the omitted lessons, so nothing is cut here.
  const block = { label: "signs", text: signs, maxLength: maxLength + 500 };
  return `# Signs: what has gone wrong here before\n${renderData(block, fence)}`;
}
