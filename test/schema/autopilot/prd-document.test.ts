import { expect, test } from "vitest";
import { checkPrdDocument } from "../../../src/schema/autopilot/prd-document.ts";

const frontMatter = {
  generated_by: "ralph-autopilot",
  generated_at: "2026-01-25T14:35:00Z",
  source_analysis: ".ralph/autopilot/analysis.json",
  mode: "autonomous",
};
const text =
  "---\n---\n# PRD: Login\n\n## Overview\n\n## Requirements ##\r\n\n## acceptance criteria\n";

test("a document with all its parts is sound", () => {
  expect(checkPrdDocument(frontMatter, text)).toEqual({ data: frontMatter, findings: [] });
});

test("a part a reader looks for and does not find is a warning", () => {
  const { data, findings } = checkPrdDocument(frontMatter, "## Overview\n\ntext\n");
  expect(data).toBeDefined();
  expect(findings.map(({ message }) => message)).toEqual([
    'has no title; add a line such as "# PRD: Login"',
    'has no section "## Requirements"',
    'has no section "## Acceptance Criteria"',
  ]);
});

test("wrong front matter is an error", () => {
  const { data, findings } = checkPrdDocument({ ...frontMatter, generated_at: "today" }, text);
  expect(data).toBeUndefined();
  expect(findings).toMatchObject([{ severity: "error", path: ["generated_at"] }]);
});
