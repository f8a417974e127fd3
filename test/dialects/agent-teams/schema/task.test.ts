import { expect, test } from "vitest";
import { readTeamTaskText } from "../../../../src/dialects/agent-teams/schema/criteria.ts";
import {
  blockersOf,
  checkTask,
  readHeader,
  taskStatusOf,
} from "../../../../src/dialects/agent-teams/schema/task.ts";

const marked = `## Status: IN_PROGRESS
## Blocked-By: step01/task-01-readers.code-task.md, step01/task-02-x.code-task.md
## Completed: [DATE when done]

# Task: HTTP server

## Description
Serve the files.
Over HTTP.

## Acceptance Criteria

**Constraints:**
- You MUST meet ALL acceptance criteria
- You MUST use Given-When-Then

**Format Example:**
\`\`\`
- Given [context]
\`\`\`

1. **Server Starts**
   - Given the folder exists
   - When \`npm start\` is run
   - Then it says "running"

2. **Missing files**
   - Given no file
   - Then \`{ "active": false }\`

## Metadata
- **Scenario-Strategy**: not-applicable
`;

const front = `---
Status: COMPLETED
Completed-By: teammate-1
Completed-At: 2026-02-10T14:30:00Z
Blocked-By: [step01/a.code-task.md]
---

# Log in

## Acceptance Criteria
- Given a user
  When the password is right
  Then the user is in
- Given a user
- When the password is wrong
- Then nobody is in
- [ ] A line of its own
`;

test("the header is read in both forms", () => {
  const lines = readHeader(marked);
  expect([lines.form, taskStatusOf(lines), blockersOf(lines)]).toEqual([
    "lines",
    "IN_PROGRESS",
    ["step01/task-01-readers.code-task.md", "step01/task-02-x.code-task.md"],
  ]);
  const matter = readHeader(front);
  expect([matter.form, taskStatusOf(matter), blockersOf(matter)]).toEqual([
    "front-matter",
    "COMPLETED",
    ["step01/a.code-task.md"],
  ]);
  expect([readHeader("# Task\n").form, taskStatusOf(readHeader("# Task\n"))]).toEqual([
    "none",
    "PENDING",
  ]);
});

test("a scenario's steps make one criterion, however they are written", () => {
  expect(readTeamTaskText(marked)).toEqual({
    title: "HTTP server",
    description: "Serve the files.\nOver HTTP.",
    criteria: [
      'Server Starts, Given the folder exists, When `npm start` is run, Then it says "running"',
      'Missing files, Given no file, Then `{ "active": false }`',
    ],
    scenarioStrategy: "not-applicable",
  });
  expect(readTeamTaskText(front).criteria).toEqual([
    "Given a user, When the password is right, Then the user is in",
    "Given a user, When the password is wrong, Then nobody is in",
    "A line of its own",
  ]);
});

test.each([
  ["None", []],
  ["{blocked_by}", []],
  ["", []],
  ["./a.code-task.md,`b.code-task.md`", ["a.code-task.md", "b.code-task.md"]],
])("Blocked-By %j", (value, expected) => {
  expect(blockersOf(readHeader(`## Blocked-By: ${value}\n`))).toEqual(expected);
});

test.each([
  ["## Status: PERHAPS\n", 1, 'the status is "PERHAPS"; it must be one of PENDING'],
  ["---\nStatus: PENDING\n", 1, "the header begins with --- and never ends"],
  ["# T\n## Status: PENDING\n## Status: BLOCKED\n", 3, "there is a second status"],
  ["## Blocked-By: ../x.code-task.md\n", 1, "leads out of the folder of the plan"],
  ["## Blocked-By: a, /etc/passwd\n", 1, "leads out of the folder of the plan"],
])("%j is reported with its line", (text, line, message) => {
  expect(checkTask(text)).toMatchObject([
    { severity: "error", path: [line], message: expect.stringContaining(message) },
  ]);
});

test("every truncation is read or reported", () => {
  for (const text of [marked, front]) {
    expect(checkTask(text)).toEqual([]);
    for (let end = 0; end < text.length; end += 1) {
      const part = text.slice(0, end);
      const isTold = checkTask(part).length > 0;
      expect(isTold || taskStatusOf(readHeader(part)) !== undefined, JSON.stringify(part)).toBe(
        true,
      );
      readTeamTaskText(part);
    }
  }
});
