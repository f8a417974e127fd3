import fc from "fast-check";
import { expect, test } from "vitest";
import { findTaskBlock } from "../../../src/schema/tasks/foreign/task-block.ts";
import type { Prd, Task } from "../../../src/schema/tasks/prd.ts";
import { parseMarkdownTasks } from "../../../src/sources/markdown-tasks.ts";
import { formatOf, updateRequest } from "../../../src/views/documents/update-request.ts";
import { task as plain } from "../../support/builders/session.ts";

const task = (id: string, more: Partial<Task> = {}): Task => ({ ...plain(id), ...more });
const prd = (tasks: Task[]): Prd => ({ project: "Login", description: "People log in", tasks });
const two = prd([task("T-001", { passes: true }), task("T-002", { notes: "Category: backend." })]);

function update(text: string, format?: "cr" | "markdown", tasks = two): string {
  const block = findTaskBlock(text);
  if (block.kind === "missing") throw new Error(block.remark.message);
  return updateRequest(text, tasks, {
    block,
    format: format ?? formatOf(text, block),
    name: "AUTH",
  });
}

const refusal = { reason: "source", file: "CR-AUTH.md", remedy: "" } as const;
const take = (text: string) => parseMarkdownTasks(Buffer.from(text), refusal).data.tasks;

const entry = (id: string) => ({ id, description: `Title of ${id}`, steps: ["It works"] });
const idsIn = (text: string) => [...text.matchAll(/"id": "([^"]+)"/g)].map(([, id]) => id);

const file = [
  "# Mine",
  "",
  "```json\n{}\n```",
  "## Task List",
  "~~~json\n[]\n~~~",
  "after",
  "## Progress",
  "old",
  "## Rest",
  "end",
].join("\n");

const withList = (list: string, progress: string) =>
  file.replace("[]", list).replace("old", progress);

test("the block of JSON and the checklist change, and a second time nothing", () => {
  for (const eol of ["\n", "\r\n"]) {
    for (const mark of ["", "\uFEFF"]) {
      const before = mark + file.replaceAll("\n", eol);
      const after = update(before, "cr");
      const [list = ""] = /\[\r?\n[\s\S]*?\n\]/.exec(after) ?? [];
      const progress = "\n- [x] CR-AUTH-1: Title of T-001\n- [ ] CR-AUTH-2: Title of T-002\n";
      const expected = withList(list.replaceAll(eol, "\n"), progress).replaceAll("\n", eol);
      expect(after).toBe(mark + expected);
      expect(JSON.parse(list)).toHaveLength(2);
      expect(update(after, "cr")).toBe(after);
    }
  }
});

test("a block inside of a list item stays there", () => {
  const after = update("## Task List\n\n1. here:\n\n   ```json\n   []\n   ```\n\n2. next\n", "cr");
  expect(after).toMatch(/\n {3}\[\n {5}\{\n[\s\S]*\n {3}\]\n {3}```\n\n2\. next\n$/);
  expect(take(after)).toHaveLength(2);
});

test("a list keeps its format and the ids of its tasks", () => {
  const list = JSON.stringify([entry("LOGIN-2"), entry("LOGIN-1")]);
  const after = update(`## Task List\n\`\`\`json\n${list}\n\`\`\`\n`);
  expect(idsIn(after)).toEqual(["LOGIN-1", "LOGIN-2"]);
  const more = prd([...two.tasks, task("T-003")]);
  expect(idsIn(update(after, undefined, more))).toEqual(["LOGIN-1", "LOGIN-2", "CR-AUTH-3"]);
});

test("ids that an import would map to other tasks are replaced", () => {
  const list = JSON.stringify([entry("login"), entry("logout")]);
  const after = update(`## Task List\n\`\`\`json\n${list}\n\`\`\`\n`, "cr", prd([task("T-007")]));
  expect(idsIn(after)).toEqual(["CR-AUTH-7"]);
});

const pieces = fc
  .array(
    fc.constantFrom(
      "text\n\n",
      "- a\n  - b\n\n",
      "| a |\n|---|\n| ## Progress |\n\n",
      "```json\n{}\n```\n",
      "~~~~md\n## Progress\n~~~~\n",
      "<details>\n\n",
      "    ## Task List\n\n",
      "> ## Progress\n\n",
      "## Other\n\n",
      "### Part\n",
      "---\n\n",
      "Ünïcödé 🙂\n\n",
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(""));

const listed = (list: string) => `## Task List\n\n\`\`\`json\n${list}\n\`\`\`\n\n`;
const renewed = JSON.stringify(two.tasks, null, 2);
const checklist = "\n- [x] T-001: Title of T-001\n- [ ] T-002: Title of T-002\n\n";

test("all text around the list and the checklist stays, byte for byte", () => {
  const eols = fc.constantFrom("\n", "\r\n");
  fc.assert(
    fc.property(pieces, pieces, pieces, fc.boolean(), eols, (above, between, below, first, eol) => {
      const document = (list: string, progress: string) => {
        const sections = [`${listed(list)}${between}\n`, `Progress\n---\n${progress}## End\n\n`];
        const [one = "", other = ""] = first ? sections : sections.toReversed();
        return `${above}\n${one}${other}${below}`.replaceAll("\n", eol);
      };
      const after = update(document("[]", "- [ ] old\n"), "markdown");
      expect(after).toBe(document(renewed, checklist));
      expect(update(after, "markdown")).toBe(after);
      expect(take(after)).toHaveLength(2);
    }),
  );
});

test("a list below the checklist is not taken for a part of it", () => {
  const after = update(`# Progress\n\nold\n\n${listed("[]").replace("## ", "#### ")}`);
  expect(after).toBe(`# Progress\n${checklist}${listed(renewed).replace("## ", "#### ")}`);
  const inside = `## Task List\n\n### Progress\n\nold\n\n\`\`\`json\n[]\n\`\`\`\n`;
  expect(update(inside)).toBe(
    `## Task List\n\n### Progress\n${checklist}\`\`\`json\n${renewed}\n\`\`\`\n`,
  );
});
