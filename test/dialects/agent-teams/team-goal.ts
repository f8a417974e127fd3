import type { ForeignTree } from "../../../src/dialects/dialect.ts";

const folder = ".ralph/specs/auth/implementation";

const file = (header: string, title: string, criteria = "- Given a user\n  When x\n  Then y") =>
  `${header}\n# Task: ${title}\n\n## Description\nDo ${title}.\n\n## Acceptance Criteria\n\n${criteria}\n`;

/** A goal as a team leaves it half-way: one task done, one under way, one that waits for both. */
export const goal = {
  ".ralph/config.sh": 'GATE_TEST="npm test"\n',
  ".ralph/specs/auth/discovery.md": "# Discovery\n\nUsers need a way in.\n",
  ".ralph/specs/auth/design/detailed-design.md": "# Design\nTokens last an hour.\n",
  [`${folder}/plan.md`]: "1. task-02-store\n2. task-01-login\n3. task-01-logout\n",
  [`${folder}/step01/task-01-login.code-task.md`]: file("## Status: IN_PROGRESS\n", "Log in"),
  [`${folder}/step01/task-02-store.code-task.md`]: file(
    "---\nStatus: COMPLETED\nCompleted-By: mate-1\nCompleted-At: 2026-02-10T14:30:00Z\n---\n",
    "Store",
  ),
  [`${folder}/step02/task-01-logout.code-task.md`]: file(
    "## Status: PENDING\n## Blocked-By: step01/task-01-login.code-task.md, task-02-store\n",
    "Log out",
    "1. **Gone**\n   - Given a session\n   - When it ends\n   - Then it is gone\n2. It is told",
  ),
};

export const treeOf = (files: Record<string, string>): ForeignTree =>
  new Map(Object.entries(files));
