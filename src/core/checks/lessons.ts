import { createHash } from "node:crypto";
import type { FailureNote, SessionState, TaskState } from "../state/session-state.ts";

/** Something a failed gate or review has taught: becomes an entry of `.ralph/guardrails.md` (design 3, "sign"). */
export interface Lesson {
  /** Equal for equal errors, whichever task or session met them. */
  key: string;
  /** When it was met first, ISO 8601. */
  at: string;
  task: string;
  /** `review`, or the gate's name. */
  source: string;
  feedback: string;
}

/** What the failures of a task teach, each once, oldest first. */
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

/** Undefined for what teaches nothing about the project: a missing signal, an unproved criterion, no change. */
function lessonKey({
  because,
  fingerprint,
  feedback,
}: Pick<FailureNote, "because" | "fingerprint" | "feedback">): string | undefined {
  const isTold = because === "gate" || (because === "review" && fingerprint === "rejected");
  if (!isTold) return undefined;
  const [, ...named] = fingerprint.split("\n").filter((line) => line !== "");
  const what = because === "gate" && named.length > 0 ? fingerprint : sameWords(feedback);
  return createHash("sha256").update(`${because}\n${what}`).digest("hex").slice(0, 8);
}

/** The error a task has just met, and how often it has met it. */
export function lastLesson({
  failures = [],
}: Pick<TaskState, "failures">): { key: string; times: number } | undefined {
  const last = failures.at(-1);
  const key = last && lessonKey(last);
  if (key === undefined) return undefined;
  return { key, times: failures.filter((note) => lessonKey(note) === key).length };
}

/** Lessons of this session, newest first; those of ended tasks are in the file from the next pass on. */
export function freshLessons({ tasks }: Pick<SessionState, "tasks">): Lesson[] {
  return tasks.flatMap(lessonsOf).toSorted((a, b) => (a.at < b.at ? 1 : -1));
}

const sourceOf = ({ because, fingerprint }: FailureNote) =>
  because === "gate" ? (fingerprint.split("\n")[0] ?? "gate") : because;

/** Durations, counts and line numbers differ between two equal failures. */
const sameWords = (text: string) => text.replace(/\d+/g, "0").replace(/\s+/g, " ").trim();
