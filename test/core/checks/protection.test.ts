import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Protection, protectedChanges } from "../../../src/core/checks/protection.ts";

const agentFiles = [".claude", "CLAUDE.md", ".mcp.json", ".codex", ".gemini", "GEMINI.md"];
const nothing: Protection = { allow: [], own: [], agentFiles };
const refused = (path: string, protection = nothing) =>
  protectedChanges([{ path }], protection).length === 1;

describe("refused", () => {
  test.each([
    ".github/workflows/ci.yml",
    ".github/tests/x.test.js",
    ".github",
    ".GitHub/workflows/ci.yml",
    "./.github/workflows/ci.yml",
    ".github./workflows/ci.yml",
    ".github /workflows/ci.yml",
    ".git\u200chub/workflows/ci.yml",
    "\uff0egithub/workflows/ci.yml",
    ".github::$INDEX_ALLOCATION/x",
    ".github\\workflows\\ci.yml",
    "../.github/workflows/ci.yml",
    ".gitattributes",
    "src/.gitattributes",
    "src/.GITATTRIBUTES",
    ".gitmodules",
    "CODEOWNERS",
    "docs/CODEOWNERS",
    "docs/codeowners",
    ".claude/settings.json",
    "packages/web/.claude/hooks/x.sh",
    ".mcp.json",
    ".codex/config.toml",
    ".gemini/settings.json",
    ".cursor/rules/a.mdc",
    ".opencode/opencode.json",
    "opencode.json",
    "packages/web/.windsurfrules",
    ".husky/pre-commit",
    ".gitlab-ci.yml",
    ".circleci/config.yml",
    "Jenkinsfile",
    "jenkinsfile",
    ".travis.yml",
    ".buildkite/pipeline.yml",
    "azure-pipelines.yml",
    ".woodpecker/test.yml",
    ".mailmap",
    "lefthook.yml",
    ".envrc",
    "packages/web/.envrc",
    ".devcontainer/devcontainer.json",
    ".vscode/tasks.json",
    ".idea/runConfigurations/x.xml",
    ".clinerules/a.md",
    ".kiro/steering/a.md",
    "QWEN.md",
    ".goosehints",
    ".github/copilot-instructions.md",
    "AGENTS.md",
    "packages/web/agents.md",
    "CLAUDE.md",
    "GEMINI.md",
    ".ralph/prd.json",
    ".ralph/ralph.yml",
    ".ralph/progress.txt",
    ".ralph-session/session.json",
  ])("%s", (path) => expect(refused(path)).toBe(true));
});

describe("left to the usual judgement", () => {
  test.each([
    "src/login.ts",
    "github/workflows/ci.yml",
    "templates/app/.github/workflows/ci.yml",
    "templates/app/.gitlab-ci.yml",
    "docs/Jenkinsfile",
    "src/vscode/tasks.json",
    "docs/rules",
    "fixtures/.ralph/prd.json",
    ".githubx/a",
    ".gitignore",
    "docs/agents.mdx",
    "src/claude.ts",
    "src/x.claude/a.ts",
    "package.json",
    ".vscode/settings.json",
    "...",
  ])("%s", (path) => expect(refused(path)).toBe(false));
});

test("the start commit's allow list lifts what it names, in these letters only", () => {
  const allow = [".github/workflows/docs.yml", "packages/*/AGENTS.md"];
  expect(refused(".github/workflows/docs.yml", { allow, own: [], agentFiles })).toBe(false);
  expect(refused("packages/web/AGENTS.md", { allow, own: [], agentFiles })).toBe(false);
  expect(refused(".GITHUB/workflows/docs.yml", { allow, own: [], agentFiles })).toBe(true);
  expect(refused(".github/workflows/ci.yml", { allow, own: [], agentFiles })).toBe(true);
});

test("files we write are refused wherever they are, and nothing lifts that", () => {
  const own = ["tasks/prd.json", "notes/progress.txt"];
  expect(refused("tasks/prd.json", { allow: ["**"], own, agentFiles })).toBe(true);
  expect(refused("Notes/Progress.txt", { allow: ["**"], own, agentFiles })).toBe(true);
  expect(refused("tasks/other.json", { allow: [], own, agentFiles })).toBe(false);
});

test("so is everything in ralph's folders, and a file in place of a folder above", () => {
  const own = ["build/ralph/", "../out"];
  expect(refused("build/ralph", { allow: ["**"], own, agentFiles })).toBe(true);
  expect(refused("Build/ralph/logs/x", { allow: ["**"], own, agentFiles })).toBe(true);
  expect(refused("build", { allow: ["**"], own, agentFiles })).toBe(true);
  expect(refused("../out/x", { allow: [], own, agentFiles })).toBe(true);
  expect(refused("build/ralphs", { allow: [], own, agentFiles })).toBe(false);
  expect(refused("builds", { allow: [], own, agentFiles })).toBe(false);
  expect(refused("out/x", { allow: [], own, agentFiles })).toBe(false);
});

test("only the refused paths are listed, as they were given", () => {
  const changes = ["src/a.ts", "./.GitHub/x", "b"].map((path) => ({ path }));
  expect(protectedChanges(changes, nothing)).toEqual(["./.GitHub/x"]);
});

test("letter case, width and invisible characters never unprotect a path", () => {
  const path = fc.constantFrom(".github/workflows/a.yml", "x/.claude/a", ".ralph/prd.json");
  const disguises: ((text: string) => string)[] = [
    (text) => text.toUpperCase(),
    (text) => text.replaceAll(/[a-z]/g, (char) => `${char}\u200d`),
    (text) => text.replaceAll(".", "\uff0e"),
    (text) => `./${text}`,
    (text) => text.replace("/", " ./"),
  ];
  const chosen = fc.array(fc.nat({ max: disguises.length - 1 }), { maxLength: 3 });
  fc.assert(
    fc.property(path, chosen, (real, choice) => {
      const text = choice.reduce<string>((each, index) => disguises[index]?.(each) ?? each, real);
      expect(refused(text)).toBe(true);
    }),
  );
});
