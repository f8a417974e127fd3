import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requireUnedited } from "../../../src/action/checks/checks.ts";
import { digestOfIssue } from "../../../src/github/issues/issue-text.ts";
import { createTestSystem } from "../../support/project/system.ts";

const issue = { number: 7, title: "Login", author: "ada", url: "https://g/7", body: "It fails." };

/** What becomes of the issue as it is now, when the event says this of it. */
async function check(labelled: unknown, event = "issues", digest?: string): Promise<void> {
  await using system = await createTestSystem();
  const path = join(system.root, "event.json");
  writeFileSync(path, JSON.stringify({ action: "labeled", issue: labelled }));
  const env = { GITHUB_EVENT_NAME: event, GITHUB_EVENT_PATH: path };
  await requireUnedited({ ...system, env }, issue, digest);
}

test("an issue with the text it was labelled with is accepted", async () => {
  await expect(check({ number: 7, title: "Login", body: "It fails." })).resolves.toBeUndefined();
});

test.each([
  { number: 7, title: "Login", body: "It works." },
  { number: 7, title: "Logout", body: "It fails." },
  { number: 7, title: "Login", body: null },
])("%j, written after the label, is refused", async (labelled) => {
  await expect(check(labelled)).rejects.toThrow("Issue 7 was edited after it was labelled.");
});

test("a comment approves the text of the moment it was written", async () => {
  await check({ number: 7, title: "Login", body: "It fails." }, "issue_comment");
  await expect(
    check({ number: 7, title: "Login", body: "It works." }, "issue_comment"),
  ).rejects.toThrow("Issue 7 was edited after it was requested.");
});

test("in a job that another event started, the digest it was given decides", async () => {
  const said = digestOfIssue({ title: "Login", body: "It fails." });
  await check({ number: 7, title: "Logout", body: "" }, "issues", said);
  await expect(
    check(undefined, "workflow_dispatch", digestOfIssue({ title: "Login", body: "It works." })),
  ).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining("requested") });
});

test("an event about another issue, or without one, is ignored", async () => {
  await check({ number: 8, title: "Other", body: "" });
  await check({ number: 7, title: "Other", body: "" }, "workflow_dispatch");
});
