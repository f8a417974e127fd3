import { expect, test } from "vitest";
import { findCircle, importsOf, isOwn, moduleOf } from "./imports.ts";

const formats = ["src", "src/schema"];
const pure = [...formats, "src/text", "src/core"];
const programs = [...pure, "src/platform", "src/sources"];
const engine = [
  ...programs,
  "src/journal",
  "src/git",
  "src/sandbox",
  "src/agents",
  "src/gates",
  "src/services",
  "src/ui",
  "src/session",
];
const shown = ["src/views", "src/dialects"];
const shared = [...engine, ...shown, "src/scaffold", "src/entry"];

/** Each module and the modules it may import (design 2). `src` stands for the files directly in it. */
const modules: Record<string, readonly string[]> = {
  src: [],
  "src/text": ["src"],
  "src/schema": ["src", "src/text"],
  "src/core": [...formats, "src/text"],
  "src/platform": ["src"],
  "src/sources": [...formats, "src/platform"],
  "src/journal": [...pure, "src/platform"],
  "src/git": [...formats, "src/platform"],
  "src/sandbox": [...formats, "src/platform"],
  "src/views": pure,
  "src/dialects": [...pure, "src/views"],
  "src/omc": [...formats, "src/platform", "src/sources", "src/dialects"],
  "src/agents": programs,
  "src/gates": [...programs, "src/sandbox"],
  "src/services": [...programs, "src/gates"],
  "src/ui": [...programs, "src/gates"],
  "src/session": [...engine, "src/dialects"],
  "src/scaffold": [...formats, "src/platform", "src/sources", "src/git"],
  "src/scan": [...engine, ...shown],
  "src/entry": [...engine, ...shown, "src/scaffold"],
  "src/github": [...engine, ...shown],
  "src/autopilot": [...engine, ...shown, "src/github"],
  "src/action": [...shared, "src/github", "src/autopilot"],
  "src/eval": [...shared, "src/scan"],
  "src/cli": [...shared, "src/eval", "src/scan", "src/github", "src/autopilot"],
};

const imports = (await importsOf("src/**/*.ts")).filter(isOwn);

test("every folder of src is in the table", () => {
  const found = imports.flatMap(({ home, target }) => [home, moduleOf(target)]);
  const folders = found.filter((name) => name.startsWith("src/"));
  expect([...new Set(folders)].sort()).toEqual(
    Object.keys(modules)
      .filter((name) => name !== "src")
      .sort(),
  );
});

test.each(Object.entries(modules))("%s imports only what it may", (module, allowed) => {
  const broken = imports
    .filter(({ home, target }) => home === module && target.startsWith("src/"))
    .filter(({ target }) => moduleOf(target) !== module && !allowed.includes(moduleOf(target)));
  expect(broken).toEqual([]);
});

test("the table of src has no circle", () => {
  const edges = Object.entries(modules).flatMap(([file, targets]) =>
    targets.filter((target) => target !== file).map((target) => ({ file, home: file, target })),
  );
  expect(findCircle(edges)).toEqual([]);
});

test("the App imports neither the command line nor the action, and nothing imports the App", async () => {
  const broken = [...(await importsOf("app/**/*.ts")), ...imports].filter(({ file, target }) =>
    file.startsWith("app/") ? /^src\/(?:cli|action)\//.test(target) : target.startsWith("app/"),
  );
  expect(broken).toEqual([]);
});

test("no import goes round in a circle, types counted", () => {
  expect(findCircle(imports)).toEqual([]);
});
