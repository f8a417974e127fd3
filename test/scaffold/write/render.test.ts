import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { extendGitignore, fillAgentsMd } from "../../../src/scaffold/write/project-files.ts";
import { renderExampleTasks } from "../../../src/scaffold/write/render-prd.ts";
import { renderWorkflow } from "../../../src/scaffold/write/render-workflow.ts";
import { yamlText } from "../../../src/scaffold/write/yaml-text.ts";
import { parseCriterion } from "../../../src/schema/tasks/criterion.ts";
import { parseConfig } from "../../../src/sources/config-file.ts";
import { parseTaskFile } from "../../../src/sources/task-file.ts";
import { agentsMdTemplate } from "../../../src/views/documents/agents-md.ts";
import { detect } from "../detect/detect.ts";

test("a text is the same after it was written as YAML", () => {
  const odd = [
    "no",
    "true",
    "1e3",
    "**/x",
    ".5",
    "a: b",
    "a #b",
    "- a",
    "",
    " a",
    "a ",
    "{x}",
    "~",
  ];
  const texts = fc.oneof(fc.constantFrom(...odd), fc.string(), fc.string({ unit: "grapheme" }));
  fc.assert(fc.property(texts, (text) => parse(`key: ${yamlText(text)}`).key === text));
  expect(yamlText("npm run test")).toBe("npm run test");
});

test("the example task is valid, and its first criteria are ones ralph checks itself", () => {
  const page = { project: "Shop", file: "docs/development.md", testCommand: "npm test" };
  const { prd, warnings } = parseTaskFile(Buffer.from(renderExampleTasks(page)), "prd.json");
  expect(warnings).toEqual([]);
  const kinds = prd.tasks[0]?.acceptanceCriteria.map((text) => parseCriterion(text).kind);
  expect(kinds).toEqual(["file-exists", "file-contains", "judged"]);
});

test("AGENTS.md gets stack and folders, and stays the template where nothing is known", () => {
  const filled = fillAgentsMd(agentsMdTemplate, { technologies: ["- $& Go"], layout: ["src/"] });
  expect(filled).toContain("## Technology Stack\n\n- $& Go\n\n---");
  expect(filled).toContain("## File Organization\n\n```text\nsrc/\n```\n\n---");
  expect(fillAgentsMd(agentsMdTemplate, { technologies: [], layout: [] })).toBe(agentsMdTemplate);
});

test("the shown limits are the defaults and can be used as they are", async () => {
  const { text } = await detect({});
  const shown = text.replace(/^# limits:(?:\n# .*)*/m, (lines) => lines.replace(/^# /gm, ""));
  expect(parse(shown).limits).toMatchObject({ max_iterations: 30 });
  const [before, after] = [text, shown].map((each) => parseConfig(Buffer.from(each), "x").config);
  expect(after?.limits).toEqual(before?.limits);
});

test("without a gate the file shows an example and the reason", async () => {
  const node = await detect({ "package.json": "{", "pnpm-lock.yaml": "" });
  expect(node.text).toContain("# Note: package.json cannot be read as JSON");
  const { text } = await detect({ "pyproject.toml": '[project]\nname = "x"\n' });
  expect(text).toContain("#       cmd: .venv/bin/python -m pytest -q\n");
});

test("AGENTS.md does not change because of files that ralph left", async () => {
  const { layout } = await detect({ "AGENTS.md": "", "AGENTS.md.bak2": "", "a.txt": "" });
  expect(layout).toEqual(["a.txt"]);
});

test("the workflow asks for no more than it needs", () => {
  const text = renderWorkflow({ tools: ["pipx install uv"], prefix: "apps/a", config: undefined });
  const { permissions, jobs, concurrency } = parse(text);
  expect(permissions).toEqual({});
  expect(concurrency.group).toBe("ralph-apps/a");
  expect(jobs.ralph.permissions).toEqual({
    contents: "write",
    "pull-requests": "write",
    checks: "write",
    actions: "write",
  });
  const secrets = text.match(/secrets\.\w+/g);
  expect(secrets).toEqual(["secrets.ANTHROPIC_API_KEY"]);
  expect(jobs.ralph).toMatchObject({
    uses: "org/ralph-action/.github/workflows/ralph.yml@v1",
    with: {
      "budget-usd": "10",
      setup: "pipx install uv\n",
      "working-directory": "apps/a",
      "resume-from": `\${{ inputs.resume-from }}`,
    },
  });
});

test.each([
  ["", "# ralph\n.ralph-session/\n"],
  ["dist\n", "dist\n\n# ralph\n.ralph-session/\n"],
  ["dist", "dist\n\n# ralph\n.ralph-session/\n"],
  ["dist\r\n", "dist\r\n\r\n# ralph\r\n.ralph-session/\r\n"],
  ["/.ralph-session\n", undefined],
])("a .gitignore of %j only gets its missing entries", (text, expected) => {
  expect(extendGitignore(text, [".ralph-session/"])).toBe(expected);
});

test("what a .gitignore above has need not be repeated", () => {
  expect(extendGitignore("", ["node_modules/"], "**/node_modules\n")).toBeUndefined();
});
