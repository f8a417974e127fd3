import type { PromptContext, PromptRole } from "./prompt-context.ts";
import { renderDuty, renderEnding, renderRules } from "./prompt-duty.ts";
import { renderLessons } from "./prompt-lessons.ts";
import { renderProvenFacts, renderWaitingTests, renderWorkFiles } from "./prompt-proof.ts";
import {
  renderAssignment,
  renderFeedback,
  renderHints,
  renderMemory,
  renderProgressSoFar,
  renderSubtasks,
} from "./prompt-task.ts";

type Section = (context: PromptContext, role: PromptRole) => string | undefined;

/** The sections of each role's prompt, in this order (design 4.1, compatibility 1.7). */
const sections: Record<PromptRole, readonly Section[]> = {
  implementation: [
    renderProgressSoFar,
    renderAssignment,
    renderSubtasks,
    renderWaitingTests,
    renderMemory,
    renderLessons,
    renderHints,
    renderFeedback,
  ],
  test_writing: [
    renderProgressSoFar,
    renderAssignment,
    renderWorkFiles,
    renderMemory,
    renderLessons,
    renderHints,
    renderFeedback,
  ],
  review: [
    renderProgressSoFar,
    renderAssignment,
    renderMemory,
    renderLessons,
    renderHints,
    renderFeedback,
    renderProvenFacts,
  ],
};

/**
 * The whole prompt of one agent call. Its length does not grow with the number of tasks, files or attempts. Repeating it
 * claims nothing: the tag has a placeholder, the token is on the last line, and untrusted text cannot contain it (design
 * 4, T14, T48).
 */
export function renderPrompt(role: PromptRole, context: PromptContext): string {
  const parts = [
    renderDuty(role, context),
    ...sections[role].map((section) => section(context, role)),
    renderRules(role, context),
    renderEnding(role, context),
  ];
  return `${parts.filter((part) => part !== undefined).join("\n\n")}\n`;
}
