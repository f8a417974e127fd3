import { createHash } from "node:crypto";
import type { FailureNote, SessionState, TaskState } from "../state/session-state.ts";

/** A lesson from a failed gate or review: it becomes an entry of `.ralph/guardrails.md` (design 3, "guardrail"). */
export interface Lesson {
  /** Equal for equal errors of any task or session. */
  key: string;
  /** When the error first occurred, ISO 8601. */
  at: string;
  task: string;
  /** `review`, or the gate's name. */
  source: string;
  feedback: string;
}

/** The lessons of a task's failures, each once, oldest first. */
export function lessonsOf({ task, failures = [] }: Pick<TaskState, "task" | "failures">): Lesson[] {
  const lessons = new Map<string, Lesson>();
  for (const note of failures) {
    const key = lessonKey(note);
    if (key === undefined || lessons.has(key)) continue;
    const { at, feedback } = note;
    lessons.set(key, { key, at, task: task.id, source: sourceOf(note), feedback });
  }
  return [...lessons.values()];
}

/** Undefined for failures that say nothing about the project: a missing signal, an unproved criterion, no change. */
function lessonKey({
  because,
  fingerprint,
  feedback,
}: Pick<FailureNote, "because" | "fingerprint" | "feedback">): string | undefined {
  const isTold = because === "gate" || (because === "review" && fingerprint === "rejected");
  if (!isTold) return undefined;
  const [, ...named] = fingerprint.split("\n").filter((line) => line !== "");
  const what = because === "gate" && named.length > 0 ? fingerprint : normalizeNumbers(feedback);
  return createHash("sha256").update(`${because}\n${what}`).digest("hex").slice(0, 8);
}

/** The latest error of a task, and how often it has occurred. */
export function lastLesson({
  failures = [],
}: Pick<TaskState, "failures">): { key: string; times: number } | undefined {
  const last = failures.at(-1);
  const key = last && lessonKey(last);
  if (key === undefined) return undefined;
  return { key, times: failures.filter((note) => lessonKey(note) === key).length };
}

/** This session's lessons, newest first; lessons of ended tasks are written to the file with the next pass. */
export function freshLessons({ tasks }: Pick<SessionState, "tasks">): Lesson[] {
  return tasks.flatMap(lessonsOf).toSorted((a, b) => (a.at < b.at ? 1 : -1));
}

const sourceOf = ({ because, fingerprint }: FailureNote) =>
  because === "gate" ? (fingerprint.split("\n")[0] ?? "gate") : because;

/** Ignores durations, counts and line numbers, which differ between equal failures. */
const normalizeNumbers = (text: string) => text.replace(/\d+/g, "0").replace(/\s+/g, " ").trim();
