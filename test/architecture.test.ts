import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const formats = ["src", "src/model"];
const programs = [...formats, "src/run", "src/system", "src/sandbox", "src/git"];
const engine = [...programs, "src/journal", "src/agents", "src/verify", "src/loop"];
const shared = [...engine, "src/project", "src/surfaces", "src/door"];

/** Each folder and the folders it may import (design 2). `src` stands for the files directly in it. */
const folders: Record<string, string[]> = {
  src: ["src/action", "src/door", "src/system"],
  "src/model": ["src"],
  "src/run": formats,
  "src/system": formats,
  "src/git": [...formats, "src/system"],
  "src/sandbox": [...formats, "src/system"],
  "src/project": [...formats, "src/system", "src/git"],
  "src/journal": [...formats, "src/run", "src/system"],
  "src/surfaces": [...formats, "src/run"],
  "src/omc": [...formats, "src/system"],
  "src/agents": programs,
  "src/verify": programs,
  "src/loop": engine,
  "src/doctor": [...engine, "src/surfaces"],
  "src/door": [...engine, "src/project", "src/surfaces"],
  // The audit of a bundle is the loop's.
  "src/github": [...engine, "src/surfaces"],
  "src/autopilot": [...engine, "src/surfaces", "src/github"],
  "src/action": [...shared, "src/github", "src/autopilot"],
  "src/cli": [...shared, "src/doctor", "src/github", "src/autopilot"],
};

/** Packages and built-in modules beyond the harmless ones, and the folders that may use them. */
const packages: Record<string, string[]> = {
  "markdown-it": ["src/model"],
  zod: [
    "src/model",
    "src/run",
    "src/system",
    "src/agents",
    "src/omc",
    "src/action",
    "src/github",
    "src/autopilot",
  ],
  ai: ["src/autopilot"],
  "@ai-sdk/anthropic": ["src/autopilot"],
  "@ai-sdk/openai": ["src/autopilot"],
  "@actions/core": ["src/action"],
  yaml: ["src/system", "src/surfaces"],
  "jsonc-parser": ["src/system", "src/surfaces"],
  picomatch: ["src/run"],
  "string-argv": ["src/agents", "src/github"],
  execa: ["src/system"],
  commander: ["src/cli"],
  "@octokit/core": ["src/github"],
  "@octokit/plugin-retry": ["src/github"],
  "@octokit/plugin-throttling": ["src/github"],
  yauzl: ["src/github"],
  "node:fs": ["src/system"],
  "node:fs/promises": ["src/system"],
  "node:child_process": ["src/system"],
  "node:os": ["src/system"],
  "node:readline/promises": ["src/system"],
};
/** Pure parts of Node; they touch nothing outside. */
const harmless =
  /^node:(?:buffer|crypto|path(?:\/posix)?|url|util|events|string_decoder|stream.*)$/;

type Import = { file: string; home: string; target: string };

async function importsOf(pattern: string): Promise<Import[]> {
  const found: Import[] = [];
  for await (const file of glob(pattern)) {
    const home = folderOf(file);
    for (const [, target = ""] of (await readFile(file, "utf8")).matchAll(
      /(?:from |^import )"([^"\s]+)"/gm,
    )) {
      found.push({ file, home, target });
    }
  }
  return found;
}

const folderOf = (path: string) => path.split("/").slice(0, -1).slice(0, 2).join("/");
const imports = await importsOf("src/**/*.ts");
const relative = imports.filter(({ target }) => target.startsWith("."));
const resolved = ({ file, target }: Import) => new URL(target, `file:///${file}`).pathname.slice(1);

test("every folder of src is in the table", () => {
  expect([...new Set(imports.map(({ home }) => home))].sort()).toEqual(Object.keys(folders).sort());
});

test.each(Object.keys(folders))("%s imports only what it may", (folder) => {
  const broken = relative
    .filter(({ home }) => home === folder)
    .map((entry) => ({ file: entry.file, path: resolved(entry) }))
    .filter(({ path }) => path.startsWith("src/"))
    .filter(({ path }) => folderOf(path) !== folder && !folders[folder]?.includes(folderOf(path)));
  expect(broken).toEqual([]);
});

test("the App imports nothing of the other doors, and nothing imports the App", async () => {
  const broken = [...(await importsOf("app/**/*.ts")), ...imports].filter((entry) => {
    if (!entry.target.startsWith(".")) return false;
    const path = resolved(entry);
    const isDoor = /^src\/(?:cli|action)[/.]/.test(path);
    return entry.file.startsWith("app/") ? isDoor : path.startsWith("app/");
  });
  expect(broken).toEqual([]);
});

test("packages and what touches the outside are used only where they belong", () => {
  // The scripted agent is a program of its own: it stands outside, like any other agent.
  const own = new Set(["src/agents/scripted/scripted-agent.ts", "src/agents/scripted/perform.ts"]);
  const broken = imports
    .filter(
      ({ file, target }) => !target.startsWith(".") && !harmless.test(target) && !own.has(file),
    )
    .filter(({ home, target }) => !packages[target]?.includes(home));
  expect(broken).toEqual([]);
});

test("only src/system reads the environment, the clock and chance", async () => {
  const outside =
    /\bprocess\.env\b|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|performance\.now\(/;
  const broken: string[] = [];
  for await (const file of glob("src/**/*.ts")) {
    if (file.startsWith("src/system/") || file.startsWith("src/agents/scripted")) continue;
    if (outside.test(await readFile(file, "utf8"))) broken.push(file);
  }
  expect(broken).toEqual([]);
});

test("no value import goes round in a circle", () => {
  const edges = Map.groupBy(relative, ({ file }) => file);
  const done = new Set<string>();
  const visit = (file: string, path: string[]): string[] => {
    if (path.includes(file)) return [...path, file];
    if (done.has(file)) return [];
    const cycle = (edges.get(file) ?? []).map((edge) => visit(resolved(edge), [...path, file]));
    done.add(file);
    return cycle.find(({ length }) => length > 0) ?? [];
  };
  expect([...edges.keys()].flatMap((file) => visit(file, []))).toEqual([]);
});

test("no file outgrows one sitting", async () => {
  for await (const file of glob("{src,app,test,.github/scripts}/**/*.ts")) {
    const lines = (await readFile(file, "utf8")).split("\n").length;
    expect.soft(lines, file).toBeLessThanOrEqual(300);
  }
});
