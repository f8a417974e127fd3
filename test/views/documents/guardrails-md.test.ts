import { expect, test } from "vitest";
import type { Fact } from "../../../src/core/state/event.ts";
import { parseGuardrails } from "../../../src/schema/session-files/guardrails.ts";
import { guardrailsMd } from "../../../src/views/documents/guardrails-md.ts";
import { agentEnd, failed, passing, runOf, start, task } from "../../support/builders/session.ts";

const tasks = [task("T-001"), task("T-002")];

const gateFailed = failed("T-001", "gate", {
  feedback: 'Gate "test" failed.\nlogin.test.ts: expected 200, got 500',
  fingerprint: "test\nlogin.test.ts > logs in",
});
const rejected = failed("T-001", "review", {
  feedback: "The reviewer rejected the work:\n- src/a.ts: closes #12 without @team <script>",
  fingerprint: "rejected",
});
const repaired = agentEnd("T-001", {
  signal: { kind: "valid", name: "task-done", body: "## Changes\n- the handler answers 200" },
});

const pass = (id: string): Fact => ({
  type: "task_passed",
  task: id,
  tree: "t1",
  parent: "c0",
  files: [],
  already_satisfied: false,
});

const spliced = (facts: readonly Fact[], text?: string) =>
  guardrailsMd.splice(text, runOf(tasks, facts));

const lesson = [start("T-001"), gateFailed, repaired, pass("T-001")];

test("a gate that failed leaves an entry in Fixes when its task passes", () => {
  expect(spliced(lesson)).toMatchInlineSnapshot(`
    "# Guardrails

    Lessons of earlier tasks. Read them before you begin. What is added while ralph works is kept as a proposal.

    ## Fixes

    ### fix-1769351454-3509b9ae
    > Gate "test" failed. login.test.ts: expected 200, got 500 (repaired by: the handler answers 200)
    <!-- tags: gate, test, T-001 | created: 2026-01-25 -->

    ## Decisions

    ## Patterns
    "
  `);
});

test("a project without failures gets no file, and one that is there stays as it is", () => {
  expect(spliced(passing("T-001"))).toBeUndefined();
  expect(spliced(passing("T-001"), "# Guardrails\n")).toBe("# Guardrails\n");
});

test("nothing is written before a task has passed", () => {
  expect(spliced([start("T-001"), gateFailed])).toBeUndefined();
});

test("a rejection is written so that it notifies, links and closes nothing", () => {
  const text = spliced([start("T-001"), rejected, repaired, pass("T-001")]) ?? "";
  expect(text).toContain("closes `#12` without `@team` `<script>`");
  expect(parseGuardrails(text)).toMatchObject([{ tags: ["review", "T-001"] }]);
});

test.each(["signal", "no_change", "guardrail", "subtasks", "criteria"] as const)(
  "%s teaches nothing about the project",
  (because) => {
    expect(spliced([start("T-001"), failed("T-001", because), pass("T-001")])).toBeUndefined();
  },
);

test("an error gets only one entry, also in another task", () => {
  const text = spliced(lesson) ?? "";
  const again = { ...gateFailed, task: "T-002" };
  expect(spliced([start("T-002"), again, again, pass("T-002")], text)).toBe(text);
  const twice = spliced([...lesson, start("T-002"), again, pass("T-002")]) ?? "";
  expect(parseGuardrails(twice)).toHaveLength(1);
});

test("a failed task's lesson goes with the next pass, one that failed after it does not", () => {
  const gaveUp: Fact = { type: "task_failed", task: "T-001", message: "no" };
  const other = [start("T-002"), pass("T-002")];
  expect(spliced([start("T-001"), gateFailed, gaveUp, ...other])).toContain("T-001");
  expect(spliced([start("T-001"), gateFailed, ...other, gaveUp])).toBeUndefined();
});

test.each([
  [
    "an empty section",
    "# G\n\n## Fixes\n\n## Decisions\n",
    /## Fixes\n\n### fix[\s\S]*-->\n\n## Dec/,
  ],
  ["entries of others", "## Fixes\n### fix-x\n> y\n", /> y\n\n### fix-\d+-/],
  [
    "the older format",
    "# Signs\n\n### Sign: a\n",
    /^# Signs\n\n### Sign: a\n\n## Fixes\n\n### fix/,
  ],
  ["no line break at its end", "## Fixes", /^## Fixes\n\n### fix/],
  [
    "Windows line breaks",
    "## Fixes\r\n\r\n## Decisions\r\n",
    /Fixes\r\n\r\n### fix[\s\S]*-->\r\n\r\n## D/,
  ],
  ["an empty file", " \n", /^ \n# Guardrails/],
])("%s: the entry comes into Fixes and no byte of others changes", (_, text, expected) => {
  const next = spliced(lesson, text) ?? "";
  expect(next).toMatch(expected);
  expect(spliced(lesson, next)).toBe(next);
  const rest = text.trim() === "" ? "" : text.trimEnd().split(/\r?\n/).at(-1);
  expect(next).toContain(rest);
});
