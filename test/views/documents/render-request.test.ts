import fc from "fast-check";
import { expect, test } from "vitest";
import { checkPrd } from "../../../src/schema/tasks/check-prd.ts";
import type { Prd, Task } from "../../../src/schema/tasks/prd.ts";
import { parseMarkdownTasks } from "../../../src/sources/markdown-tasks.ts";
import { renderRequest } from "../../../src/views/documents/render-request.ts";
import { lossesOf } from "../../../src/views/documents/request-list.ts";
import { task as plain } from "../../support/builders/session.ts";

const now = "2026-01-25T14:38:05.000Z";
const options = { source: ".ralph/prd.json", now, name: "AUTH" };
const refusal = { reason: "source", file: "changes/CR-AUTH.md", remedy: "" } as const;

const task = (id: string, more: Partial<Task> = {}): Task => ({ ...plain(id), ...more });

function take(text: string, groupByCategory = false): Prd {
  const taken = { branchPrefix: "ralph/", groupByCategory };
  return parseMarkdownTasks(Buffer.from(text), refusal, taken).data;
}

const prd = (tasks: Prd["tasks"], more: Partial<Prd> = {}): Prd => ({
  project: "Login",
  branchName: "ralph/login",
  description: "People log in",
  tasks,
  ...more,
});

const two = prd([task("T-001", { passes: true }), task("T-002", { notes: "Category: backend." })]);

test("a document in Markdown", () => {
  const [one] = prd([task("T-001", { passes: true })]).tasks;
  const text = renderRequest(prd(one ? [one] : []), { ...options, format: "markdown" });
  expect(text).toMatchInlineSnapshot(`
    "# PRD: Login

    **Generated:** 2026-01-25 14:38:05 UTC\\
    **Branch:** \`ralph/login\`\\
    **Status:** 1 of 1 passed

    ## Summary

    People log in

    ## Task List

    \`\`\`json
    [
      {
        "id": "T-001",
        "title": "Title of T-001",
        "description": "What to do and why",
        "acceptanceCriteria": [
          "It works"
        ],
        "priority": 1,
        "passes": true
      }
    ]
    \`\`\`

    ## Progress

    - [x] T-001: Title of T-001

    ---

    *Exported from .ralph/prd.json by ralph*
    "
  `);
});

test("a change request", () => {
  expect(renderRequest(two, { ...options, format: "cr" })).toMatchInlineSnapshot(`
    "# CR: Login

    ## Summary

    People log in

    ## Task List

    \`\`\`json
    [
      {
        "id": "CR-AUTH-1",
        "category": "setup",
        "description": "Title of T-001",
        "steps": [
          "It works"
        ],
        "passes": true
      },
      {
        "id": "CR-AUTH-2",
        "category": "backend",
        "description": "Title of T-002",
        "steps": [
          "It works"
        ],
        "passes": false
      }
    ]
    \`\`\`
    "
  `);
});

test("data that a change request cannot hold is listed", () => {
  const part = { id: "T-003.1", title: "Part", acceptanceCriteria: ["c"], passes: false };
  const tasks = [task("T-003", { notes: "Mine", subtasks: [part] })];
  expect(lossesOf(prd(tasks))).toEqual([
    "notes are left out: T-003",
    "subtasks become steps of their task: T-003",
    "the description is left out, the title replaces it: T-003",
  ]);
  const text = renderRequest(prd(tasks), { ...options, format: "cr" });
  expect(take(text).tasks[0]?.acceptanceCriteria).toEqual(["It works", "Part: c"]);
});

const word = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom("# a", "- a", "1. a", "---", "a #", "\\#", "[a]: b", "<!--", "> q", "CR: CR: x"),
  fc.constantFrom("a\\", "```", "~~~json", "=", "***", "\tx", "2) b", "&amp;", "*a* `b`"),
);
const sound = word.filter((text) => text.trim() !== "" && !text.includes("\0"));
const items = fc.array(
  fc.record(
    {
      id: fc.oneof(fc.constant(undefined), sound),
      category: fc.constantFrom("setup", "backend", "fix", "test", undefined),
      description: sound,
      steps: fc.array(sound, { minLength: 1, maxLength: 3 }),
      passes: fc.boolean(),
    },
    { requiredKeys: ["description", "steps"] },
  ),
  { minLength: 1, maxLength: 14 },
);

/** What an import promises to keep (compatibility 1.19). */
const required = ({ project, description, tasks }: Prd) => ({
  project,
  description,
  tasks: tasks
    .map(({ notes: _, ...task }) => task)
    .toSorted((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1)),
});

test("a list is the same after import, export and another import", () => {
  const formats = fc.constantFrom("cr", "markdown");
  fc.assert(
    fc.property(
      items,
      sound,
      sound,
      formats,
      fc.boolean(),
      (list, title, summary, format, group) => {
        const unique = list.map(({ id, ...item }, index) =>
          id === undefined ? item : { id: `${id} ${index}-${(index * 7) % 14}`, ...item },
        );
        const json = JSON.stringify(unique);
        const text = `# ${title}\n\n## Summary\n\n${summary}\n\n## Task List\n\n\`\`\`json\n${json}\n\`\`\`\n`;
        const first = tryTo(() => take(text, group));
        // Titles and summaries may be anything, even the beginning of a comment.
        if (!first) return fc.pre(false);
        const exported = renderRequest(first, { ...options, format });
        expect(required(take(exported, format === "cr" && group))).toEqual(required(first));
      },
    ),
  );
});

function tryTo<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

test("a document holds ralph's whole list: notes, subtasks and switches come back", () => {
  const part = { id: "T-001.1", title: "Part", acceptanceCriteria: ["c"], passes: false };
  const rich = task("T-001", { notes: "Mine", subtasks: [part], requiresTests: false });
  const tasks = [rich, task("T-002", { priority: 7, dependsOn: ["T-001"] })];
  const taken = take(renderRequest(prd(tasks), { ...options, format: "markdown" }));
  expect(taken).toMatchObject({ branchName: "ralph/login", tasks });
  expect(checkPrd(taken).data).toBeDefined();
});
