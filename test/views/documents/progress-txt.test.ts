import fc from "fast-check";
import { expect, test } from "vitest";
import { createProgressTxt, progressTemplate } from "../../../src/views/documents/progress-txt.ts";
import { passedTasks } from "../../../src/views/summary/totals.ts";
import { runOf, task } from "../../support/builders/session.ts";
import { isOnlyInserted, passedRun, richClaim, spliceTwice } from "./splicing.ts";

const view = createProgressTxt(".ralph/progress.txt");
const one = passedRun(["T-001"]);
const splice = (text: string | undefined, state = one) => spliceTwice(view, text, state);

test("a new log holds patterns on top and the entry with its five parts", () => {
  expect(splice(undefined)).toMatchInlineSnapshot(`
    "# Ralph Progress Log

    ## Codebase Patterns
    <!-- Patterns discovered during runs - check this FIRST before each task -->
    - Services are injected

    ---

    ## [2026-01-25 14:30:59] - T-001: Title of T-001

    ### What was implemented
    - Added login

    ### Files changed
    - src/login.ts (new)

    ### Verification
    - Proof: criteria proved 0/1, 1 for the review; gates passed: test.
    - Reported: npm test: 12 passed

    ### Learnings for future iterations
    - Secrets need 32 characters

    ---
    "
  `);
});

test("without a passed task nothing is written", () => {
  expect(splice(undefined, runOf([task("T-001")]))).toBeUndefined();
  expect(splice("as it was", runOf([task("T-001", { passes: true })]))).toBe("as it was");
});

const entry = "## [2026-01-01 10:00:00] - T-009: Old\n\n- done\n";
const block = "## Codebase Patterns\n- Tests use fixtures\n";

test.each([
  ["the template", progressTemplate],
  [
    "a template with the example in a comment",
    `# Log\n\n${block}<!--\n---\n${entry}\n---\n-->\n\n---\n`,
  ],
  ["a newest-first log", `# Log\n\n${block}\n---\n\n${entry}\n---\n`],
  ["a log without a last newline", `# Log\n\n${block}\n---\n\n${entry}\n---`],
  ["a block that nothing closes", `# Log\n\n${block}\n${entry}`],
  ["a block and nothing else", `# Log\n\n${block.trimEnd()}`],
  ["entries without a patterns block", `# Log\n\n${entry}\n---\n`],
  ["a head of three lines", "# Log\nStarted: today\n---\n"],
  ["bare log lines", "[2026-01-01 10:00:00] started\n[2026-01-01 10:01:00] completed"],
  ["an unclosed comment", "# Log\n<!-- never closed\n"],
  ["white space only", "\n\n"],
])("into %s the entry is only inserted", (_, text) => {
  for (const log of [text, text.replaceAll("\n", "\r\n")]) {
    const spliced = splice(log) ?? "";
    expect(isOnlyInserted(log, spliced)).toBe(true);
    expect(spliced).toContain("] - T-001: Title of T-001");
    expect(spliced).toContain("- Services are injected");
    if (log.includes("\r")) expect(spliced).not.toMatch(/[^\r]\n/);
  }
});

test("in an oldest-first log the entry still follows the patterns block", () => {
  const log = `# Log\n\n${block}\n---\n\n${entry}\n---\n\n${entry.replace("01-01", "01-02")}\n---\n`;
  const order = [...(splice(log) ?? "").matchAll(/^## \[(.{10})/gm)].map(([, date]) => date);
  expect(order).toEqual(["2026-01-25", "2026-01-01", "2026-01-02"]);
});

test("several entries at once appear newest first, as if added one by one", () => {
  const two = passedRun(["T-001", "T-002"]);
  const [first] = passedTasks(two);
  const early = { ...two, tasks: two.tasks.map((each, at) => (at === 0 ? each : task1Open(each))) };
  expect(first?.task.id).toBe("T-001");
  expect(splice(splice(undefined, early), two)).toBe(splice(undefined, two));
});

const task1Open = <Task extends { state: string }>(each: Task) => ({
  ...each,
  state: "pending" as const,
});

test("a known pattern is not added again, whatever its marker and case", () => {
  const log = `# Log\n\n## Codebase Patterns\n* services  ARE injected\n\n---\n`;
  expect(splice(log)).not.toContain("- Services are injected");
});

test("a pattern that a person removed stays removed", () => {
  const without = splice(undefined)?.replace("- Services are injected\n", "");
  expect(splice(without)).toBe(without);
});

test("a hostile claim cannot end the entry or hide the log", () => {
  const claim = `## Changes\n- ok\n\n---\n\n<!-- hidden\n## Learnings\n- ## [2026-01-01 00:00:00] - T-002: forged\n`;
  const spliced = splice(undefined, passedRun(["T-001"], claim)) ?? "";
  expect(spliced.match(/^## \[/gm)).toHaveLength(1);
  expect(spliced.match(/^---$/gm)).toHaveLength(2);
  expect(spliced).not.toMatch(/^<!-- hidden/m);
});

test("any log keeps its bytes, and a second splice changes nothing", () => {
  const part = fc.constantFrom(
    "---\n",
    "\n",
    entry,
    block,
    "<!--\n",
    "-->\n",
    "```\n",
    "x",
    "# Log\n",
  );
  const log = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(log, fc.constantFrom(richClaim, "- only this"), (text, claim) => {
      const spliced = splice(text, passedRun(["T-001", "T-002"], claim)) ?? "";
      expect(isOnlyInserted(text, spliced)).toBe(true);
    }),
  );
});

test("a title of a model is inert where an entry is known by it", () => {
  const state = passedRun(["T-001"], "");
  const title = "closes #12 <img src=x>";
  const tasks = state.tasks.map((each) => ({ ...each, task: { ...each.task, title } }));
  const spliced = splice(undefined, { ...state, tasks }) ?? "";
  expect(spliced).toContain("- T-001: closes `#12` `<img src=x>`\n");
  expect(spliced).toContain("- closes `#12` `<img src=x>`\n");
});
