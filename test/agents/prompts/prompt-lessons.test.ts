import { expect, test } from "vitest";
import { chooseLessons } from "../../../src/agents/prompts/prompt-lessons.ts";
import { lessonsOf } from "../../../src/core/checks/lessons.ts";
import type { Fact } from "../../../src/core/state/event.ts";
import { taskOf } from "../../../src/core/state/session-state.ts";
import { failed, runOf, start, task } from "../../support/builders/session.ts";

const tasks = [task("T-001"), task("T-002")];
const red = (id: string, name = "a") =>
  failed(id, "gate", {
    feedback: `Gate "test" failed.\n${name} is red`,
    fingerprint: `test\n${name}`,
  });

function signs(facts: readonly Fact[], guardrails = ""): string {
  const state = runOf(tasks, facts);
  return chooseLessons({ guardrails, state, task: taskOf(state, "T-002") });
}

const entry = (id: string, text: string) => `### fix-1-${id}\n> ${text}\n<!-- tags: x -->\n`;

test("the file's signs come newest first, in both formats", () => {
  const file = `${entry("aa", "one")}${entry("bb", "two")}### Sign: s\n**Trigger:** when\n**Instruction:** do\n`;
  expect(signs([], file)).toBe("- when: do\n- two\n- one");
});

test("what this session has learned is known before it is in the file", () => {
  expect(signs([start("T-001"), red("T-001")])).toBe('- Gate "test" failed. a is red');
});

test("the first failure is in the feedback, a repeated one is shown first", () => {
  const file = entry("bb", "two");
  expect(signs([start("T-002"), red("T-002")], file)).toBe("- two");
  expect(signs([start("T-002"), red("T-002"), red("T-002", "b"), red("T-002")], file)).toBe(
    `- This has gone wrong again: Gate "test" failed. a is red
- Gate "test" failed. b is red
- two`,
  );
});

test("an error of an earlier session brings its sign back", () => {
  const facts = [start("T-002"), red("T-002")];
  const [lesson] = lessonsOf(taskOf(runOf(tasks, facts), "T-002"));
  const file = `${entry(lesson?.key ?? "", "run the build first")}${entry("bb", "two")}`;
  expect(signs(facts, file)).toBe("- This has gone wrong again: run the build first\n- two");
});

test("only whole signs are shown, and the last line counts those that are not", () => {
  const file = Array.from({ length: 100 }, (_, n) => entry(`a${n}`, `${n} ${"x".repeat(400)}`));
  const lines = signs([], file.join("")).split("\n");
  expect(lines.slice(0, -1).every((line) => line.endsWith("x".repeat(400)))).toBe(true);
  expect(lines.at(-1)).toBe(`(${100 - (lines.length - 1)} more in .ralph/guardrails.md)`);
  expect(lines.join("\n").length).toBeLessThan(8100);
});

test("a sign without an instruction is left out", () => {
  expect(signs([], "### Sign: s\n**Trigger:** when\n")).toBe("");
});
