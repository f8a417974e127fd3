import type { SessionState } from "../../core/state/session-state.ts";
import { escapeMarkdown } from "../../text/escape-markdown.ts";
import { renderStamp } from "../../text/figures.ts";
import {
  appendToSection,
  hasLine,
  isRule,
  type MarkdownLine,
  orTemplate,
} from "../../text/markdown-lines.ts";
import { plainLine } from "../../text/plain-text.ts";
import {
  type LearningsMode,
  readLearnings,
  type TaskLearnings,
  writesLearnings,
} from "../summary/completion-report.ts";
import type { PassedTask } from "../summary/totals.ts";
import type { SpliceView } from "../view.ts";

/** The content of a new file (specs 004 5.3). */
export const agentsMdTemplate = `# AGENTS.md

> This file captures codebase patterns and conventions discovered during automated development.
> AI agents read this file to understand project-specific context.
> Updates are made by automation runs - do not edit manually.

## Codebase Patterns

### Architecture

### Naming Conventions

### Testing Patterns

### Common Gotchas

---

## Technology Stack

---

## File Organization

---

## Recent Learnings

---

*Last updated: never by Ralph orchestrator*
`;

const nextHeading = /^#{1,2}\s/;
const lastUpdated = /^\*Last updated: .* by Ralph orchestrator\*[ \t]*(?=\r?$)/gm;

/**
 * AGENTS.md: a dated block of learnings for each task that passed in this session, at the end of "Recent
 * Learnings", and the last-updated line. Everything else stays (compatibility 1.20). Only with `memory.learnings: write`.
 */
export const createAgentsMd = (mode: LearningsMode): SpliceView => ({
  kind: "splice",
  name: "agents-md",
  path: () => "AGENTS.md",
  splice: (text, state) => (writesLearnings(mode, state) ? splice(text, state) : text),
});

function splice(text: string | undefined, state: SessionState): string | undefined {
  const fresh = readLearnings(state).filter(
    ({ task }) => !hasLine(text ?? "", renderHeading(task)),
  );
  const newest = fresh.at(-1);
  if (!newest) return text;
  const file = stamp(orTemplate(text, agentsMdTemplate), newest.task.endedAt);
  return appendToSection(file, "Recent Learnings", { addition: fresh.map(render).join(""), isEnd });
}

const renderHeading = ({ task, endedAt }: PassedTask) =>
  `### ${renderStamp(endedAt)} - ${task.id}: ${escapeMarkdown(plainLine(task.title))}`;

const render = ({ task, learnings }: TaskLearnings) =>
  `\n${renderHeading(task)}\n${learnings.map((text) => `- ${text}\n`).join("")}`;

const isEnd = (line: MarkdownLine) =>
  isRule(line) || nextHeading.test(line.text) || line.text.search(lastUpdated) >= 0;

function stamp(file: string, ts: string): string {
  const line = [...file.matchAll(lastUpdated)].at(-1);
  if (!line) return file;
  const renewed = `*Last updated: ${renderStamp(ts)} UTC by Ralph orchestrator*`;
  return file.slice(0, line.index) + renewed + file.slice(line.index + line[0].length);
}
