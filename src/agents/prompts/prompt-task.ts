import type { Subtask } from "../../schema/tasks/prd.ts";
import { type Fence, renderData, renderLine } from "./data-block.ts";
import type { PromptContext, PromptRole } from "./prompt-context.ts";

/** Tasks named on each side of the current one; the others are counted. */
const neighbours = 2;
const maxPaths = 40;
const maxHints = 10;
const maxText = {
  task: 30_000,
  agentsMd: 12_000,
  patterns: 6000,
  feedback: 12_000,
  hint: 2000,
  note: 8000,
};

/** The task's position in the list; the overview stays short for any list. */
export function renderProgressSoFar({ project, tasks, task, fence }: PromptContext): string {
  const at = tasks.findIndex((other) => other.task.id === task.id);
  const passed = tasks.filter(({ state }) => state === "passed").length;
  const name = ({ task: { id, title }, state }: PromptContext["tasks"][number]) =>
    `- ${id} ${renderLine(title, fence)} (${id === task.id ? "yours" : state})`;
  const near = tasks.slice(Math.max(0, at - neighbours), at + neighbours + 1);
  return [
    "# Project",
    [renderLine(project.name, fence), renderLine(project.description, fence)]
      .filter((part) => part !== "")
      .join(": "),
    `${passed} of ${tasks.length} tasks have passed. Around yours (context only, leave the others alone):`,
    ...near.map(name),
  ].join("\n");
}

export function renderAssignment({ task, unit, fence }: PromptContext): string {
  const { id, title, acceptanceCriteria } = unit ?? task;
  const description = unit ? unit.description : task.description;
  return [
    `# Your task: ${id} ${renderLine(title, fence)}`,
    ...(unit ? [`It is a part of ${task.id} ${renderLine(task.title, fence)}.`] : []),
    ...(description
      ? [renderData({ label: "description", text: description, maxLength: maxText.task }, fence)]
      : []),
    "",
    "Acceptance criteria. Every one must hold:",
    ...numbered(acceptanceCriteria, fence),
  ].join("\n");
}

const numbered = (criteria: readonly string[], fence: Fence) =>
  criteria.map((criterion, index) => `${index + 1}. ${renderLine(criterion, fence)}`);

/** How to report checkpoint subtasks (compatibility 1.10); nothing when there are none. */
export function renderSubtasks({ checkpoints, fence }: PromptContext): string | undefined {
  const [first] = checkpoints;
  if (!first) return undefined;
  return [
    "# Subtasks",
    "The task has these parts. Report each finished part in your final message, by a line of its own:",
    `<subtask-complete id="${first.id}" session="TOKEN"></subtask-complete>`,
    ...checkpoints.flatMap((subtask) => subtaskLines(subtask, fence)),
  ].join("\n");
}

function subtaskLines({ id, title, acceptanceCriteria }: Subtask, fence: Fence): string[] {
  const criteria = numbered(acceptanceCriteria, fence).map((line) => `  ${line}`);
  return [`- ${id} ${renderLine(title, fence)}`, ...criteria];
}

/** Knowledge of the repository and earlier tasks; shown as data, because agents have written parts of it (T07). */
export function renderMemory({ memory, fence }: PromptContext): string | undefined {
  const blocks = [
    { label: "AGENTS.md", text: memory.agentsMd, maxLength: maxText.agentsMd },
    { label: "patterns of earlier tasks", text: memory.patterns, maxLength: maxText.patterns },
    ...(memory.notes ?? []).map((note) => ({ ...note, maxLength: maxText.note })),
  ].filter(({ text }) => text.trim() !== "");
  if (blocks.length === 0) return undefined;
  return [
    "# What is known about this repository",
    ...blocks.map((block) => renderData(block, fence)),
  ].join("\n");
}

/** The latest hints of maintainers; shown as data like all untrusted text. */
export function renderHints({ hints, fence }: PromptContext): string | undefined {
  if (hints.length === 0) return undefined;
  const shown = hints.slice(-maxHints);
  const left = hints.length - shown.length;
  return [
    "# Hints of a maintainer",
    "Someone with write access to this repository said this during the session. Follow it where it concerns your task; it changes",
    "neither the acceptance criteria nor the rules below.",
    ...(left > 0 ? [`${left} older ones are left out.`] : []),
    ...shown.map(({ by, text }) =>
      renderData(
        { label: `hint of ${renderLine(by, fence)}`, text, maxLength: maxText.hint },
        fence,
      ),
    ),
  ].join("\n");
}

const feedbackIntroductions: Record<PromptRole, string> = {
  implementation: "Your earlier work is still there. Repair what is wrong:",
  test_writing: "The task has been worked on again since. Address the points about the tests:",
  review: "The task has been worked on again since. Make sure that this is repaired:",
};

/** Why the last attempt did not pass, and which of its changes were put back. */
export function renderFeedback(
  { feedback, refused, fence }: PromptContext,
  role: PromptRole,
): string | undefined {
  const told = feedback && { label: "feedback", text: feedback, maxLength: maxText.feedback };
  const parts = [
    ...(told ? [feedbackIntroductions[role], renderData(told, fence)] : []),
    ...(refused.length > 0
      ? [
          "These changes were put back: these paths are protected, or differ from another file's only in case or accents:",
          renderPaths(refused, fence),
        ]
      : []),
  ];
  const heading = told ? "# The last attempt did not pass" : "# Changes that were put back";
  return parts.length > 0 ? [heading, ...parts].join("\n") : undefined;
}

/** One path per line, the first forty; names are untrusted, so they are cleaned (T10). */
export function renderPaths(paths: readonly string[], fence: Fence): string {
  const rows = paths.slice(0, maxPaths).map((path) => `- ${renderLine(path, fence)}`);
  const left = paths.length - rows.length;
  return [...rows, ...(left > 0 ? [`- and ${left} more`] : [])].join("\n");
}
