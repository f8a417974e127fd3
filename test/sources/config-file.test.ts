import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RalphError } from "../../src/error.ts";
import { createFiles } from "../../src/platform/fs/files.ts";
import { parseConfig, readConfig } from "../../src/sources/config-file.ts";

const minimal = `version: "1"

task_source:
  type: prd_json
  path: .ralph/prd.json

gates:
  full:
    - name: test
      cmd: "npm test"
      when: package.json
      fatal: true

git:
  base_branch: main
`;

const parse = (text: string) => parseConfig(Buffer.from(text), "ralph.yml");

const refusalOf = (text: string): RalphError => {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof RalphError) return error;
  }
  throw new Error("nothing was refused");
};

test("the minimal configuration is enough", () => {
  const { config, warnings } = parse(minimal);
  expect(config.gates.full[0]).toMatchObject({ name: "test", timeout_seconds: 300 });
  expect(warnings).toEqual([]);
});

test.each([
  ["../../pnpm-lock.yaml", true],
  ["a/../b", false],
  ["..", false],
  ["../.git/config", false],
])("a cache list may name %s: %s", (path, isValid) => {
  const read = () =>
    parse(`${minimal}\nsetup: [{name: install, cmd: npm ci, cache: ["${path}"]}]\n`);
  if (isValid) expect(read().config.setup[0]?.cache).toEqual([path]);
  else expect(read).toThrow("must be a path inside the repository");
});

test("a full configuration is read with every value in its place", () => {
  const { config, warnings } = parse(`${minimal}
setup:
  - {name: install, cmd: npm ci, cache: [package-lock.json]}
services:
  backend:
    start: {dev: "uvicorn app --reload --port {port}", prod: "uvicorn app --port {port}"}
    port: 8000
    health: [/health, /api/system/health]
    timeout: 30
  frontend:
    build: npm run build
    serve: {dev: "npm run dev -- --port {port}"}
    port: 5173
test_paths: [tests/**, "frontend/**/*.spec.*"]
ui:
  agent_browser: {enabled: true, script: ui_tests/smoke_test.sh}
  robot: {enabled: true, suite: ui_tests/robot, variables: {HEADLESS: "true", TIMEOUT: 30s}}
agents:
  implementation: {model: claude-opus-4-5-20251101, timeout: 1800}
  test_writing: {allowed_tools: [Read, Grep, Edit, Write]}
  review: {model: haiku, driver: codex, command: /opt/codex, args: [--fast]}
  env: [ANTHROPIC_API_KEY]
  credentials: passed
limits: {claude_timeout: 30m, budget_usd: 12.5, max_runtime: 4h, parallel: 2}
breaker: {max_consecutive_failures: 5, backoff: 2s}
protect: {allow: [.github/workflows/docs.yml], max_files: 50}
sandbox: {mode: off, writable: [/home/me/.npm], env: [LANG]}
autopilot:
  enabled: true
  schedule: weekdays
  schedule_time: 06:30
  analysis: {provider: claude_cli, recent_days: 14}
  prd: {mode: interactive}
pr:
  body_template: |
    ## Summary
    {description}
commits: api
compat: {emit: [omx, agent-teams]}
triggers: {label: robot, commands: false}
skills: {forms: {path: x}}
`);
  expect(warnings).toEqual([]);
  expect(config).toMatchObject({
    services: { backend: { port: 8000 }, frontend: { timeout: 30 } },
    agents: { review: { driver: "codex", command: "/opt/codex", args: ["--fast"] } },
    limits: { claude_timeout: 1800, budget_usd: 12.5, max_runtime: 14_400, parallel: 2 },
    sandbox: { mode: "off" },
    autopilot: { schedule_time: "06:30" },
    pr: { body_template: "## Summary\n{description}\n" },
  });
});

test("a section with nothing but comments counts as not there", () => {
  const text = `${minimal}limits:\n  # budget_usd: 5\nagents:\n  review:\n    model:\n`;
  expect(parse(text).config).toMatchObject({
    limits: { max_iterations: 30 },
    agents: { review: {} },
  });
});

test("an empty unknown key is reported, and so is one that needs a value", () => {
  const text = minimal.replace(/cmd: .*/, "cmd:").replace(/ {2}base_branch.*/, "");
  expect(refusalOf(`${text}limtis:\nservices:\n  web:\n`).problems).toMatchObject([
    { line: 10, message: "gates.full[0].cmd is empty; give it a value" },
    { line: 14, message: "git is empty; give it a value" },
    { line: 16, message: 'limtis is not a known key; did you mean "limits"?' },
    { line: 18, message: "services.web is empty; give it a value" },
  ]);
});

test("all mistakes are named in the order of the file, with line, column and a way out", () => {
  const text = minimal.replace('"1"', "1").replace("when:", "wen:").replace("git:", "gitt:");
  const error = refusalOf(text);
  expect(error.exitCode).toBe(1);
  expect(error.message).toBe(
    [
      "ralph.yml cannot be used:",
      'ralph.yml:1:1: version must be the text "1"; write version: "1", with the quotes',
      "ralph.yml:1:1: git is missing; add it",
      'ralph.yml:11:7: gates.full[0].wen is not a known key; did you mean "when"?',
      'ralph.yml:14:1: gitt is not a known key; did you mean "git"?',
    ].join("\n"),
  );
  expect(error.remedy).toMatch(/ralph validate --config ralph\.yml/);
});

test.each<[string, string, RegExp]>([
  ["empty", "\n", /ralph\.yml:1:1: is empty/],
  ["only comments", "# nothing yet\n", /ralph\.yml:1:1: holds no keys; write it again/],
  ["JSON with a byte order mark", "\ufeff{}", /byte order mark/],
  ["too large", "# x\n".repeat(20_000), /has 80000 bytes; at most 65536/],
  ["no YAML", "gates: [", /ralph\.yml:1:9: Flow sequence/],
  [
    "one with a key twice",
    `${minimal}git:\n  base_branch: x\n`,
    /ralph\.yml:16:1: the key "git" is repeated here/,
  ],
  ["one with __proto__", `${minimal}__proto__: {}\n`, /ralph\.yml:16:1: the key "__proto__"/],
  [
    "one with a program in a tag",
    `${minimal}pr: !!js/function x\n`,
    /ralph\.yml:16:5: Unresolved tag/,
  ],
])("a configuration that is %s is refused", (_, text, message) => {
  expect(refusalOf(text).message).toMatch(message);
});

test("a missing file is exit 1 with the way to make one", async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), "ralph-config-file-"));
  const files = createFiles(place.path);
  await expect(readConfig(files, "ralph.yml")).rejects.toMatchObject({
    exitCode: 1,
    remedy: expect.stringMatching(/ralph init/),
  });
  await writeFile(join(place.path, "ralph.yml"), minimal);
  expect((await readConfig(files, "ralph.yml")).config.git.base_branch).toBe("main");
});
