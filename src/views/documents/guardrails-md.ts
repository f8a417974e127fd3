import { type Lesson, lessonsOf } from "../../core/checks/lessons.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { guardrailLocks, guardrailsPath } from "../../schema/session-files/guardrails.ts";
import { escapeMarkdown } from "../../text/escape-markdown.ts";
import { appendToSection, orTemplate } from "../../text/markdown-lines.ts";
import { plainLine } from "../../text/plain-text.ts";
import { parseCompletionReport } from "../summary/completion-report.ts";
import { passedTasks } from "../summary/totals.ts";
import type { SpliceView } from "../view.ts";

/** The content of a new file (specs 003, "Memories System"). */
const guardrailsTemplate = `# Guardrails

Lessons of earlier tasks. Read them before you begin. What is added while ralph works is kept as a proposal.

## Fixes

## Decisions

## Patterns
`;

/**
 * Guardrails: one entry in "Fixes" for each error that a gate or a review found in an ended task, written with the next
 * pass. An error gets only one entry; no existing byte changes. Other programs write here too, so the file is changed in
 * place and under its lock (design 9.2).
 */
export const guardrailsMd: SpliceView = {
  kind: "splice",
  name: "guardrails",
  path: () => guardrailsPath,
  locks: guardrailLocks,
  splice,
};

function splice(text: string | undefined, state: SessionState): string | undefined {
  const fresh = new Map<string, string>();
  for (const task of endedTasks(state)) {
    for (const lesson of lessonsOf(task)) {
      if (!hasEntry(text ?? "", lesson) && !fresh.has(lesson.key))
        fresh.set(lesson.key, renderLesson(lesson, task));
    }
  }
  if (fresh.size === 0) return text;
  return appendToSection(orTemplate(text, guardrailsTemplate), "Fixes", {
    addition: `\n${[...fresh.values()].join("\n")}`,
    isEnd: (line) => /^#{1,2}\s/.test(line.text),
  });
}

/** Tasks that had ended when the newest one passed: the same each time that pass is rendered. */
function endedTasks(state: SessionState): TaskState[] {
  const newest = passedTasks(state).at(-1)?.endedAt;
  if (newest === undefined) return [];
  return state.tasks
    .filter(({ failures, endedAt }) => failures && endedAt !== undefined && endedAt <= newest)
    .toSorted((a, b) => ((a.endedAt ?? "") < (b.endedAt ?? "") ? -1 : 1));
}

const hasEntry = (text: string, { key }: Lesson) =>
  text.includes(key) && new RegExp(`^###\\s+fix-\\d+-${key}\\s*$`, "m").test(text);

function renderLesson({ key, at, task, source, feedback }: Lesson, { state, claim }: TaskState) {
  const [repair] = state === "passed" ? parseCompletionReport(claim ?? "").changes : [];
  const failure = escapeMarkdown(plainLine(feedback, 400));
  const fix = repair === undefined ? "" : ` (repaired by: ${plainLine(repair, 200)})`;
  const tags = [...new Set([...tagsOf(source), task])].join(", ");
  const seconds = Math.floor(Date.parse(at) / 1000);
  return `### fix-${seconds}-${key}
> ${failure}${fix}
<!-- tags: ${tags} | created: ${at.slice(0, 10)} -->
`;
}

const tagsOf = (source: string) =>
  source === "review" ? ["review"] : ["gate", source.replace(/[^\w.-]+/g, "-").slice(0, 40)];
