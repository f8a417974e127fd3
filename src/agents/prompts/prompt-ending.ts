import type { PromptContext, PromptRole } from "./prompt-context.ts";

/** The requested bodies; they become notes, progress and learnings (design 4.1). */
const bodies: Record<string, string> = {
  "task-done": `## Changes
- what you changed, and why
## Verification
- what you ran, and what it showed
## Learnings
- what the next agent should know about this repository, or nothing
## Patterns
- a convention of this code base worth following, or nothing`,
  "tests-done": `## Changes
- which tests you wrote, and what each would catch
## Verification
- what you ran, and what it showed`,
  "review-approved": `## Verification
- for every criterion: why it holds`,
  "review-rejected": `- file: what is wrong, and what would be right`,
};

const endings: Record<PromptRole, { names: readonly string[]; when: string }> = {
  implementation: {
    names: ["task-done"],
    when: `When the task is done, end your final message with this block. If it is not done, say why and leave the block
out.`,
  },
  test_writing: {
    names: ["tests-done"],
    when: "When the tests are written, end your final message with this block.",
  },
  review: {
    names: ["review-approved", "review-rejected"],
    when: "End your final message with exactly one of these blocks; nothing may follow it. Approve only if every criterion holds.",
  },
};

/**
 * How to end. The tag shows the placeholder TOKEN; the token itself is the last line of the prompt, so that repeating
 * the prompt claims nothing (design 4, compatibility 1.6).
 */
export function renderEnding(role: PromptRole, { fence }: PromptContext): string {
  const { names, when } = endings[role];
  const blocks = names.map((name) => `<${name} session="TOKEN">\n${bodies[name]}\n</${name}>`);
  return `# How to end
${when}
Write the session token in place of the word TOKEN; without it the block does not count.

${blocks.join("\n\n")}

The session token is:
${fence.token}`;
}
