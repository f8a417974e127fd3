import fc from "fast-check";
import { expect, test } from "vitest";
import { renderIssue, writeIssueReport } from "../../../src/autopilot/reports/report.ts";
import { parseFrontMatter } from "../../../src/sources/parse-yaml.ts";
import { createTestSystem } from "../../support/project/system.ts";

const issue = {
  number: 12,
  title: "Login --- fails",
  author: "ada",
  url: "https://github.com/o/r/issues/12",
  body: "The form loses its text.",
};

test("an issue becomes a report in the session directory", async () => {
  await using system = await createTestSystem();
  const session = system.files(system.root);
  const report = await writeIssueReport(session, issue);
  expect(report).toMatchObject({ path: "reports/issue-12.md", kind: "issue" });
  expect((await session.read(report.path))?.toString()).toBe(report.text);
});

test("an issue without text is refused with exit 10", async () => {
  await using system = await createTestSystem();
  const empty = writeIssueReport(system.files(system.root), { ...issue, body: " \n" });
  await expect(empty).rejects.toMatchObject({ exitCode: 10 });
});

test("no title or author can add a key to the front matter", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string(), (title, author) => {
      const text = renderIssue({ ...issue, title: `${title}\n---\nx: 1`, author });
      const parsed = parseFrontMatter({ bytes: Buffer.from(text), file: "i.md", maxBytes: 1e6 });
      const value = parsed.kind === "parsed" ? parsed.value : parsed.problems;
      expect(Object.keys(Object(value))).toEqual(["issue", "title", "author", "url"]);
    }),
  );
});
