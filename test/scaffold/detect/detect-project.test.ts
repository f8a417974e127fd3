import { expect, test } from "vitest";
import { type DetectOptions, detectProject } from "../../../src/scaffold/detect/detect-project.ts";
import { renderConfig } from "../../../src/scaffold/write/render-config.ts";
import { createTestSystem } from "../../support/project/system.ts";
import { detect } from "./detect.ts";

const scripts = { lint: "x", typecheck: "x", build: "x", test: "x" };
const pytest = '[dependency-groups]\ndev = ["pytest>=8"]\n';
const both = { "package.json": { scripts }, "pyproject.toml": pytest, "uv.lock": "" };

test.each([
  ["node", ["lint", "typecheck", "build", "test"]],
  ["python", ["pytest"]],
  ["minimal", ["pytest", "test"]],
] as const)("the template %s leaves out other stacks", async (template, names) => {
  const { gates } = await detect(both, { template });
  expect(gates.map((gate) => gate.split(":")[0]).toSorted()).toEqual(names.toSorted());
});

test("pytest without tests may be red, and the file says why", async () => {
  const tree = { "pyproject.toml": pytest, "uv.lock": "" };
  const detected = await detectRaw(tree);
  expect(renderConfig(detected)).toContain("baseline: allow # pytest fails while");
  const withTests = await detectRaw({ ...tree, "tests/test_a.py": "" });
  expect(renderConfig(withTests)).not.toContain("baseline: allow #");
});

async function detectRaw(tree: Record<string, string>, options: Partial<DetectOptions> = {}) {
  await using system = await createTestSystem();
  const files = system.files(system.root);
  for (const [path, content] of Object.entries(tree)) await files.write(path, content);
  return await detectProject(files, { baseBranch: "main", ...options });
}

test("names, stack and folders come from the project", async () => {
  const detected = await detect({
    "package.json": { name: "@acme/shop", dependencies: { express: "5", pg: "8" } },
    "src/routes/a.js": "",
    "node_modules/x/index.js": "",
    "docs/a.md": "",
  });
  expect(detected).toMatchObject({
    project: "@acme/shop",
    technologies: [
      "- **Toolchain**: Node (package.json, npm)",
      "- **Backend**: Express",
      "- **Database**: PostgreSQL",
    ],
    layout: ["docs/", "src/", "  routes/", "package.json"],
    remarks: ["package.json has no script that runs tests."],
  });
});
