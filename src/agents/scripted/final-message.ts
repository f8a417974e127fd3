import type { Cue, Performance } from "./scenario.ts";

const signals: Readonly<Record<string, string>> = {
  done: "task-done",
  tests: "tests-done",
  approved: "review-approved",
  rejected: "review-rejected",
};
const placeholder = /\{(done|tests|approved|rejected|token|task|subtask (T-\d{3}\.\d+))\}/g;

/** The final message of a scripted agent, its placeholders filled in. */
export function renderFinalMessage(
  { say, sections }: Performance,
  cue: Cue & { token: string },
): string {
  const body = Object.entries(sections)
    .map(([title, text]) => `## ${title}\n${text.trim()}`)
    .join("\n");
  return say.replace(placeholder, (_all, name: string, subtask: string | undefined) => {
    if (subtask !== undefined) {
      return `<subtask-complete id="${subtask}" session="${cue.token}"></subtask-complete>`;
    }
    if (name === "token") return cue.token;
    if (name === "task") return cue.task;
    const tag = signals[name];
    return `<${tag} session="${cue.token}">\n${body}\n</${tag}>`;
  });
}

/** The session token of a prompt: the last line that looks like one, as the prompt says. */
export function findToken(prompt: string): string {
  const lines = prompt.split("\n").map((line) => line.trim());
  return lines.findLast((line) => /^ralph-\d{8}-\d{6}-[0-9a-f]+$/.test(line)) ?? "";
}
