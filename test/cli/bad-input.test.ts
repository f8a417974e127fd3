import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sampled } from "../setup/sampled.ts";
import { config, createBadPlace, prd, snapshot, stackTrace, taskList } from "./bad-input-place.ts";

/** Title, content, exit code, what the message must say. */
type Case = [title: string, content: string | Buffer, says: RegExp];

const deep = (open: string, close: string) => `${open.repeat(5000)}${close.repeat(5000)}`;
const withKey = (key: string) => prd().replace('"project"', `"${key}": {}, "project"`);

const badConfigs: Case[] = [
  ["empty", "", /ralph\.yml:1:1: is empty/],
  ["cut off", config.slice(0, 60), /ralph\.yml:\d+:\d+: /],
  ["not UTF-8", Buffer.from([0x76, 0xff, 0xfe, 0x3a]), /ralph\.yml:1:2: is not UTF-8/],
  ["10 MB", `# ${"x".repeat(10 * 1024 * 1024)}`, /ralph\.yml has 10485762 bytes/],
  ["deeply nested", `a: ${deep("[", "]")}`, /ralph\.yml:1:\d+: is nested more than 100/],
  ["with a key twice", `${config}git: {}\n`, /ralph\.yml:7:1: the key "git" is repeated here/],
  [
    "of a wrong type",
    config.replace("name: test", "name: [1]"),
    /ralph\.yml:5:9: gates\.full\[0\]/,
  ],
  ["with an unknown key", `${config}tasks: 1\n`, /ralph\.yml:7:1: tasks is not a known key/],
  ["with __proto__", `${config}__proto__: {}\n`, /ralph\.yml:7:1: the key "__proto__"/],
  ["with constructor", `${config}constructor: {}\n`, /ralph\.yml:7:1: the key "constructor"/],
  ["a list", "- 1\n", /must be an object/],
];

const badLists: Case[] = [
  ["empty", "", /prd\.json:1:1: is empty/],
  ["cut off", prd().slice(0, 90), /prd\.json:\d+:\d+: /],
  ["not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), /prd\.json:1:3: is not UTF-8/],
  ["10 MB", `"${"x".repeat(10 * 1024 * 1024)}"`, /prd\.json has 10485762 bytes/],
  ["deeply nested", deep("[", "]"), /prd\.json:1:\d+: is nested more than 100/],
  ["with a key twice", prd([], { a: 1 }).replace('"a"', '"project"'), /is repeated here/],
  ["of wrong types", prd([taskList({ priority: "1" })]), /prd\.json:\d+:7: tasks\[0\]\.priority/],
  ["with an id twice", prd([taskList(), taskList()]), /tasks\[1\]\.id repeats "T-001"/],
  ["without tasks", prd([]), /prd\.json has no tasks/],
  ["with __proto__", withKey("__proto__"), /prd\.json:2:\d+: the key "__proto__" is not allowed/],
  ["with constructor", withKey("constructor"), /the key "constructor" is not allowed/],
  ["with prototype", withKey("prototype"), /the key "prototype" is not allowed/],
];

const table = [
  ...badConfigs.map(([title, content, says]) => {
    return { title: `a configuration that is ${title}`, file: "ralph.yml", content, code: 1, says };
  }),
  ...badLists.map(([title, content, says]) => {
    return { title: `a task list that is ${title}`, file: "prd.json", content, code: 2, says };
  }),
];

describe.concurrent("unusable files", () => {
  test.each(sampled(table, 4))(
    "$title: exit $code, with the place",
    async ({ file, content, code, says }) => {
      const files = { ".ralph/ralph.yml": config, ".ralph/prd.json": prd() };
      await using place = await createBadPlace({ ...files, [`.ralph/${file}`]: content });
      const before = snapshot(place.root);
      const ended = await place.ralph(["run"]);
      expect(ended.stderr).toMatch(says);
      expect(ended.exitCode).toBe(code);
      expect(ended.stderr).not.toMatch(stackTrace);
      expect(snapshot(place.root)).toEqual(before);
    },
  );

  const special: [string, (path: string) => unknown, RegExp][] = [
    ["nothing", rmSync, /does not exist/],
    ["a pipe", (path) => [rmSync(path), execFileSync("mkfifo", [path])], /is a named pipe/],
    ["a folder", (path) => [rmSync(path), mkdirSync(path)], /is a folder, not a regular file/],
    [
      "a link",
      (path) => [renameSync(path, `${path}.real`), symlinkSync(`${path}.real`, path)],
      /is behind the symbolic link/,
    ],
  ];
  const places = special.flatMap(([what, arrange, says]) => [
    { what, arrange, says, file: "ralph.yml", code: 1 },
    { what, arrange, says, file: "prd.json", code: 2 },
  ]);

  test.each(sampled(places, 2))(
    "$what in place of $file: exit $code",
    async ({ arrange, says, file, code }) => {
      await using place = await createBadPlace({
        ".ralph/ralph.yml": config,
        ".ralph/prd.json": prd(),
      });
      arrange(join(place.root, ".ralph", file));
      const before = snapshot(place.root);
      const ended = await place.ralph(["run"]);
      expect(ended.stderr).toMatch(says);
      expect(ended.stderr).toContain(`.ralph/${file}`);
      expect(ended.exitCode).toBe(code);
      expect(ended.stderr).not.toMatch(stackTrace);
      expect(snapshot(place.root)).toEqual(before);
    },
  );
});

test("every problem is said once", async () => {
  const broken = config.replace('"1"', "1");
  await using place = await createBadPlace({
    ".ralph/ralph.yml": broken,
    ".ralph/prd.json": prd(),
  });
  const { stderr } = await place.ralph(["run"]);
  expect(stderr).toMatchInlineSnapshot(`
    "Error: .ralph/ralph.yml cannot be used:
    .ralph/ralph.yml:1:1: version must be the text "1"; write version: "1", with the quotes
    Correct .ralph/ralph.yml at the places above, then run \`ralph validate --config .ralph/ralph.yml\`.
    "
  `);
});
