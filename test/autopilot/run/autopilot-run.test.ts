import { expect, test } from "vitest";
import { parseAutopilotRun } from "../../../src/autopilot/run/autopilot-run.ts";

/** A run as an earlier version kept it. */
const old = (path: string, again?: true) => ({
  ...{ run_id: "20260125-143052-a7b3c9", base: "a".repeat(40), task_path: ".ralph/prd.json" },
  ...{ started_at: "2026-01-25T14:30:52Z", untrusted: true, approved: false, completed: false },
  report: { path, text: "text", sha256: "0".repeat(64), kind: "issue" },
  wishes: { document: "with", mode: "autonomous", pull: true, ...(again && { again }) },
  asked: { calls: 0, usage: {} },
});

const requestOf = (run: object) =>
  parseAutopilotRun(Buffer.from(JSON.stringify(run)))?.work ?? "none";

test("a commanded run of an earlier version is a request for its issue", () => {
  expect(requestOf(old("reports/issue-12.md", true))).toEqual({
    ...{ command: "run", item: "issue-12", issue: 12 },
    ...{ overridesRejection: true, trigger: "start-command" },
  });
  expect(requestOf(old("reports/issue-12.md"))).toBe("none");
  expect(parseAutopilotRun(Buffer.from(JSON.stringify(old("reports/a.md", true))))).toBeDefined();
});
