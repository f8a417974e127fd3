import { expect, test } from "vitest";
import { task } from "../support/builders/session.ts";
import { createProject } from "../support/project/project.ts";

const entry = (day: string) => `## [2026-01-${day} 10:00:00] - T-009: Old\n\n- done\n\n---\n`;
const log = (days: readonly string[]) => `# Log\n\n---\n\n${days.map(entry).join("\n")}`;
const tasks = [task("T-001", { requiresTests: false })];

test("a progress log that is oldest first causes a warning, and keeps its order", async () => {
  const text = log(["01", "02"]);
  await using project = await createProject({ tasks, files: { ".ralph/progress.txt": text } });
  const { exitCode, state } = await project.run();
  expect(exitCode).toBe(0);
  expect(state.warnings).toEqual([
    ".ralph/progress.txt: its entries are oldest first. ralph adds new ones at the top, below the patterns, and moves nothing.",
  ]);
  const after = project.read(".ralph/progress.txt");
  expect(after.endsWith(text.slice(text.indexOf("## [")))).toBe(true);
  expect(after.indexOf("T-001")).toBeLessThan(after.indexOf("T-009"));
});

test("a log that is newest first causes no warning", async () => {
  const files = { ".ralph/progress.txt": log(["02", "01"]) };
  await using project = await createProject({ tasks, files });
  expect((await project.run()).state.warnings).toEqual([]);
});
