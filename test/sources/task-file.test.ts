import { execFileSync } from "node:child_process";
import { mkdir, mkdtempDisposable, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RalphError } from "../../src/error.ts";
import { createFiles } from "../../src/platform/fs/files.ts";
import { parseTaskFile, readTaskFile } from "../../src/sources/task-file.ts";

const text = `{
  "project": "Login",
  "description": "Log in and out",
  "tasks": [
    {
      "id": "T-001",
      "title": "Add a form",
      "description": "People must be able to log in",
      "acceptanceCriteria": ["File \`login.ts\` exists"],
      "priority": 1,
      "passes": false
    }
  ]
}
`;

/** What a thrown RalphError tells. */
function refusalOf(act: () => unknown): RalphError {
  try {
    act();
  } catch (error) {
    if (error instanceof RalphError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

const refused = (content: string | Uint8Array) =>
  refusalOf(() => parseTaskFile(Buffer.from(content), ".ralph/prd.json"));

test("a sound list comes with its own text, byte for byte", () => {
  const windows = text.replaceAll("\n", "\r\n");
  const { prd, text: kept, warnings } = parseTaskFile(Buffer.from(windows), "prd.json");
  expect(prd.tasks[0]?.title).toBe("Add a form");
  expect(kept).toBe(windows);
  expect(warnings).toEqual([]);
});

test("odd entries are reported with their places, and the list is used", () => {
  const odd = text.replace('"priority": 1', '"priority": 2,\n      "sprint": "me"');
  expect(parseTaskFile(Buffer.from(odd), "prd.json").warnings).toEqual([
    {
      file: "prd.json",
      line: 4,
      column: 3,
      message: "tasks leave a gap in the priorities before 2",
    },
    {
      file: "prd.json",
      line: 11,
      column: 7,
      message: "tasks[0].sprint is not a known key; it is kept and not used",
    },
  ]);
});

test("an empty list is recognized by its length", () => {
  const empty = '{"project": "x", "description": "", "tasks": []}';
  const { prd, warnings } = parseTaskFile(Buffer.from(empty), "prd.json");
  expect(prd.tasks).toHaveLength(0);
  expect(warnings).toMatchObject([{ message: expect.stringMatching(/is empty/) }]);
});

test("all mistakes are named in the order of the file, with line, column and a way out", () => {
  const broken = text.replace('"T-001"', '"T-1"').replace('"passes": false', '"passes": "no"');
  const error = refused(broken);
  expect(error.exitCode).toBe(2);
  expect(error.message).toBe(
    [
      ".ralph/prd.json cannot be used:",
      '.ralph/prd.json:6:7: tasks[0].id must look like "T-001"',
      ".ralph/prd.json:11:7: tasks[0].passes must be true or false, not text; write false",
    ].join("\n"),
  );
  expect(error.remedy).toMatch(/ralph validate --tasks \.ralph\/prd\.json/);
  expect(error.problems).toHaveLength(2);
});

test.each<[string, string | Uint8Array, RegExp]>([
  ["empty", "", /prd\.json:1:1: is empty/],
  ["cut off", text.slice(0, -20), /prd\.json:11:\d+: ends too early/],
  ["NUL-filled", Buffer.alloc(4096), /prd\.json:1:1: holds NUL/],
  [
    "not UTF-8",
    Buffer.from(text.replace("form", "f\xf6rm"), "latin1"),
    /prd\.json:7:\d+: is not UTF-8/,
  ],
  ["10 MB", Buffer.alloc(10_000_000, " "), /prd\.json:1:1: has 10000000 bytes/],
  ["deeply nested", "[".repeat(1_000_000), /prd\.json:1:101: is nested more than 100/],
  [
    "with one key twice",
    text.replace('"description"', '"project"'),
    /prd\.json:3:3: the key "project" is repeated here/,
  ],
  [
    "with __proto__",
    text.replace('"priority"', '"__proto__": {"passes": true}, "priority"'),
    /prd\.json:10:7: the key "__proto__"/,
  ],
  ["of another kind", "[]", /prd\.json:1:1: the document must be an object with .*, not a list/],
  [
    "with one id twice",
    text.replace("[\n    {", '[{"id": "T-001"},{'),
    /prd\.json:5:7: tasks\[1\]\.id repeats "T-001"/,
  ],
])("a file that is %s is refused with its place", (_, content, message) => {
  expect(refused(content).message).toMatch(message);
});

test("a wrecked file gives fifty problems and the number of the rest", () => {
  const tasks = Array.from({ length: 3000 }, () => ({}));
  const { problems } = refused(JSON.stringify({ project: "x", description: "", tasks }));
  expect(problems).toHaveLength(51);
  expect(problems[50]?.message).toBe("and 17950 more");
});

describe("reading", () => {
  const folder = () => mkdtempDisposable(join(tmpdir(), "ralph-task-file-"));
  const read = (root: string) => readTaskFile(createFiles(root), "prd.json");

  test("a file is read below the root", async () => {
    await using place = await folder();
    await writeFile(join(place.path, "prd.json"), text);
    expect((await read(place.path)).prd.project).toBe("Login");
  });

  test("a missing file is exit 2 with the way to make one", async () => {
    await using place = await folder();
    await expect(read(place.path)).rejects.toMatchObject({
      exitCode: 2,
      message: "prd.json does not exist.",
      remedy: expect.stringMatching(/ralph init/),
    });
  });

  test.each<[string, (path: string) => unknown]>([
    ["a folder", (path) => mkdir(path)],
    ["a pipe nobody writes to", (path) => execFileSync("mkfifo", [path])],
    ["a link", (path) => symlink("/etc/passwd", path)],
    ["a file over the cap", (path) => writeFile(path, Buffer.alloc(5_000_000, " "))],
  ])("%s is exit 2 at once", async (_, make) => {
    await using place = await folder();
    await make(join(place.path, "prd.json"));
    await expect(read(place.path)).rejects.toMatchObject({
      name: "RalphError",
      exitCode: 2,
      problems: [{ file: "prd.json" }],
    });
  });
});
