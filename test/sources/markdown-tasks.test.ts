import { expect, test } from "vitest";
import { RalphError, renderProblem } from "../../src/error.ts";
import { parseMarkdownTasks } from "../../src/sources/markdown-tasks.ts";
import { parseTaskFile } from "../../src/sources/task-file.ts";

const refusal = { reason: "source", file: "changes/CR-MVP-COMPLETION.md", remedy: "x" } as const;
const parse = (text: string, branchPrefix?: string) =>
  parseMarkdownTasks(
    Buffer.from(text),
    refusal,
    branchPrefix === undefined ? {} : { branchPrefix },
  );

const item = '{"description": "Do it", "steps": ["It works"]}';
const listOf = (json: string) => `## Task List\n\`\`\`json\n${json}\n\`\`\`\n`;

function catching(act: () => unknown): RalphError {
  try {
    act();
  } catch (error) {
    if (error instanceof RalphError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

const problemsOf = (text: string) =>
  catching(() => parse(text))
    .problems.map(renderProblem)
    .map((line) => line.slice(line.indexOf(":") + 1));

test.each<[string, string, object]>([
  [
    "title and summary",
    `# CR: **Big** thing\n## Summary\nOne\n_two_.\n\nThree\n${listOf(`[${item}]`)}`,
    { project: "**Big** thing", description: "One _two_." },
  ],
  ["no summary", `# CR: A\n${listOf(`[${item}]`)}`, { project: "A", description: "A" }],
  ["nothing", listOf(`[${item}]`), { project: "MVP-COMPLETION", description: "MVP-COMPLETION" }],
  [
    "a branch",
    `# PRD: A\n**Branch:** \`ralph/x\`\\\n${listOf(`[${item}]`)}`,
    { project: "A", branchName: "ralph/x" },
  ],
])("the head is read from %s", (_, text, head) => {
  expect(parse(text).data).toMatchObject(head);
});

test("the branch is named after the file, where a prefix for branches is given", () => {
  const text = listOf(`[${item}]`);
  expect(parse(text).data.branchName).toBeUndefined();
  expect(parse(text, "work/").data.branchName).toBe("work/mvp-completion");
});

test.each<[string, string, string[]]>([
  [
    "no list",
    "# A\n",
    ['1:1: has no heading "## Task List" with the tasks below it, in a block of JSON'],
  ],
  [
    "no block",
    "# A\n\n## Task List\n",
    ['3:1: has no block of JSON below it; add one between "```json" and "```"'],
  ],
  ["an empty block", `# A\n${listOf("")}`, ["2:1: the block of JSON below is empty"]],
  [
    "broken JSON",
    listOf("[\n{x}\n]"),
    ["4:2: this is not JSON; texts and keys need double quotes"],
  ],
  ["JSON that ends too early", listOf("[\n{"), ["5:1: ends too early; the file may be cut off"]],
  ["no list in it", listOf("7"), ["3:1: the document must be a list of tasks"]],
  [
    "several mistakes",
    listOf('[\n{"steps": []},\n  7]'),
    [
      "4:1: [0].description is missing; add it",
      "4:2: [0].steps must not be empty",
      "5:3: [1] must be an object with description and steps",
    ],
  ],
  ["an empty file", "", ["1:1: is empty; write it again, or restore it with `git checkout`"]],
])("%s is told with its line", (_, text, problems) => {
  expect(problemsOf(text)).toEqual(problems);
});

test("lines are right with CRLF, and behind a byte order mark", () => {
  const text = `\uFEFF# A\n${listOf('[\n{"steps": ["s"]}]')}`.replaceAll("\n", "\r\n");
  expect(problemsOf(text)).toEqual(["5:1: [0].description is missing; add it"]);
});

test("prose is sent to the command that plans tasks from it", () => {
  const error = catching(() => parse("# PRD: Login\n\n## Requirements\n\n1. A form\n"));
  expect(error.remedy).toMatch(/`ralph autopilot --report changes\/CR-MVP-COMPLETION\.md`/);
  const near = catching(() => parse("## Tasks\n```json\n[{}]\n```\n"));
  expect(near.remedy).toBe(refusal.remedy);
});

test("a summary that is cut is reported at its line", () => {
  const { warnings } = parse(`# A\n\n## Summary\n\n${"x".repeat(600)}\n\n${listOf(`[${item}]`)}`);
  expect(warnings.map(renderProblem)).toEqual([
    "changes/CR-MVP-COMPLETION.md:5:1: the summary has 600 characters; 500 of them are kept",
  ]);
});

test("of many blocks that are not read only the first are reported", () => {
  const { warnings } = parse(`${listOf(`[${item}]`)}${listOf("[]").repeat(5000)}`);
  expect(warnings).toHaveLength(11);
  expect(warnings.at(-1)?.message).toBe("and 4990 more blocks of JSON are not read");
});

test("a second block is a warning with its line", () => {
  const { warnings } = parse(`${listOf(`[${item}]`)}\n${listOf("[]")}`);
  expect(warnings.map(renderProblem)).toEqual([
    "changes/CR-MVP-COMPLETION.md:8:1: this is a second block of JSON; it is not read",
  ]);
});

test("the reader of task lists knows Markdown by its name and other tools by their content", () => {
  const read = (file: string, text: string) => parseTaskFile(Buffer.from(text), file).prd.tasks;
  expect(read("a.md", listOf(`[${item}]`))).toHaveLength(1);
  expect(read("a.json", `{"stories": [${item}]}`)).toHaveLength(1);
  expect(read("a.json", `[${item}]`)).toHaveLength(1);
  expect(() => read("a.json", "[]")).toThrow(/must be an object/);
});
