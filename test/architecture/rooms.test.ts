import { glob, readFile } from "node:fs/promises";
import { dirname } from "node:path/posix";
import { expect, test } from "vitest";
import { type Import, importsOf, moduleOf } from "./imports.ts";

/**
 * The folders of each module, lowest first: a folder imports only those before it. Files directly in a module are its
 * contract or its entry point; they may import and be imported by all of its folders.
 */
const rooms: Record<string, readonly string[]> = {
  "src/action": ["inputs", "checks", "install", "job", "steps"],
  "src/agents": ["drivers", "call", "prompts", "scripted"],
  "src/autopilot": ["llm", "reports", "sanitize", "planning", "run"],
  "src/cli": [
    "core",
    "eval",
    "init",
    "publish",
    "run",
    "verify",
    "tasks",
    "validate",
    "hooks",
    "status",
  ],
  "src/core": ["state", "proof", "verify", "decide", "checks"],
  "src/entry": ["verify"],
  "src/git": ["repository", "trees", "worktree", "commits", "open"],
  "src/github": [
    "api",
    "artifacts",
    "claims",
    "issues",
    "verify",
    "publication",
    "pulls",
    "branches",
    "push",
    "publish",
  ],
  "src/platform": ["secrets", "net", "process", "fs", "locks"],
  "src/scaffold": ["detect", "write"],
  "src/scan": ["checks"],
  "src/schema": ["base", "config", "session-files", "tasks", "tasks/foreign", "autopilot"],
  "src/session": [
    "bundle",
    "loop",
    "verify",
    "workers",
    "proof",
    "steps",
    "repair",
    "open",
    "audit",
    "import",
    "clean-room",
  ],
  "src/ui": ["driver"],
  "src/views": [
    "summary",
    "documents",
    "sync",
    "session-files",
    "terminal",
    "job",
    "pull-request",
    "html",
  ],
};

const imports = await importsOf("src/**/*.ts");
const everyImport = [...imports, ...(await importsOf("app/**/*.ts"))];
const roomOf = (path: string) => dirname(path).slice(moduleOf(path).length + 1);
const isInside = ({ home, target }: Import) => target.startsWith(`${home}/`);
const isDialect = (path: string) => path.startsWith("src/dialects/");

test("every folder of a module has its place in the order", () => {
  const found = imports.map(({ file }) => `${moduleOf(file)}/${roomOf(file)}`);
  const placed = Object.entries(rooms).flatMap(([module, names]) =>
    names.map((name) => `${module}/${name}`),
  );
  const inModules = found.filter((path) => !path.endsWith("/") && !isDialect(path));
  expect([...new Set(inModules)].sort()).toEqual(placed.sort());
});

test.each(Object.entries(rooms))("in %s a folder imports only lower ones", (module, order) => {
  const broken = imports
    .filter((each) => each.home === module && isInside(each))
    .filter(({ file, target }) => roomOf(file) !== "" && roomOf(target) !== "")
    .filter(({ file, target }) => order.indexOf(roomOf(target)) > order.indexOf(roomOf(file)));
  expect(broken).toEqual([]);
});

test("no dialect imports another", () => {
  const dialectOf = (path: string) => roomOf(path).split("/")[0];
  const broken = imports
    .filter(({ file, target }) => isDialect(file) && isDialect(target))
    .filter(({ file, target }) => dialectOf(file) !== "" && dialectOf(target) !== "")
    .filter(({ file, target }) => dialectOf(file) !== dialectOf(target));
  expect(broken).toEqual([]);
});

test("only the list and the contract of dialects are known outside of them, but for their own commands", () => {
  const known = ["src/dialects/dialect.ts", "src/dialects/dialects.ts"];
  const isOutside = (file: string) => !/^src\/(?:dialects|omc|cli\/hooks)\//.test(file);
  const broken = everyImport
    .filter(({ file, target }) => isOutside(file) && isDialect(target))
    .filter(({ target }) => !known.includes(target));
  expect(broken).toEqual([]);
});

test("the decisions about a session know no dialect by its name", async () => {
  const named: string[] = [];
  for await (const file of glob("src/core/**/*.ts")) {
    if (/\b(?:omx|omc|claude-ralph|agent-teams)\b/.test(await readFile(file, "utf8")))
      named.push(file);
  }
  expect(named).toEqual([]);
});
