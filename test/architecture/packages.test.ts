import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { importsOf, isOwn } from "./imports.ts";

/** Packages and built-in modules beyond the harmless ones, and the modules that may use them. */
const packages: Record<string, readonly string[]> = {
  "markdown-it": ["src/schema"],
  zod: [
    "src/schema",
    "src/core",
    "src/platform",
    "src/sources",
    "src/dialects",
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
  yaml: ["src/sources"],
  "jsonc-parser": ["src/sources", "src/views", "src/dialects"],
  picomatch: ["src/core"],
  "playwright-core": ["src/ui"],
  "string-argv": ["src/agents", "src/github"],
  execa: ["src/platform"],
  commander: ["src/cli"],
  "@octokit/rest": ["src/github"],
  "@octokit/plugin-retry": ["src/github"],
  "@octokit/plugin-throttling": ["src/github"],
  yauzl: ["src/github"],
  // omc's functions are synchronous, as programs of others call them.
  "node:fs": ["src/platform", "src/omc"],
  "node:fs/promises": ["src/platform"],
  "node:child_process": ["src/platform"],
  "node:dns/promises": ["src/platform"],
  "node:os": ["src/platform"],
  "node:http": ["src/platform"],
  "node:https": ["src/platform"],
  "node:net": ["src/platform"],
  "node:tls": ["src/platform"],
  "node:readline/promises": ["src/platform"],
};
/** Pure parts of Node; they touch nothing outside. */
const harmless =
  /^node:(?:buffer|crypto|path(?:\/posix)?|url|util|events|string_decoder|stream.*)$/;
/** The scripted agent and the forwarder of a network cage are programs of their own. */
const program =
  /^src\/(?:agents\/scripted\/(?:scripted-agent|perform)|sandbox\/cage-forwarder)\.ts$/;

test("packages and built-in modules are used only where they belong", async () => {
  const foreign = (await importsOf("src/**/*.ts")).filter((each) => !isOwn(each));
  const broken = foreign
    .filter(({ file, target }) => !harmless.test(target) && !program.test(file))
    .filter(({ home, target }) => !packages[target]?.includes(home));
  expect(broken).toEqual([]);
});

test("only src/platform reads the environment, the clock and random numbers", async () => {
  const outside =
    /\bprocess\.env\b|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|performance\.now\(/;
  const broken: string[] = [];
  for await (const file of glob("src/**/*.ts")) {
    if (file.startsWith("src/platform/") || file.startsWith("src/agents/scripted/")) continue;
    if (outside.test(await readFile(file, "utf8"))) broken.push(file);
  }
  expect(broken).toEqual([]);
});
