import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { FactOf } from "../../src/core/state/event.ts";
import { thorough } from "../setup/sampled.ts";
import { task } from "../support/builders/session.ts";
import { addSlug, breakUp, testOf, testSlug, words, write } from "../support/cheats/cheat.ts";
import { cheats } from "../support/cheats/cheats.ts";
import { playCheat } from "../support/cheats/play-cheat.ts";
import { createProject, type Outcome } from "../support/project/project.ts";

const quick = cheats.filter(({ isQuick }) => isQuick);
thorough.each(quick)(
  "$title: refused, or shown on the first screen of a draft (`npm run cheats` plays all)",
  async (cheat) => {
    const result = await playCheat(cheat);
    expect(result).toMatchObject({ isSilent: false, complaints: [] });
  },
);

test("the page about the proof shows what became of every cheat, and the README their sum", () => {
  const rows = readFileSync("docs/proof.md", "utf8").split("\n");
  const shown = rows.filter((row) => row.startsWith("| ")).map((row) => row.split(" | ")[0]);
  expect(cheats.filter(({ title }) => !shown.includes(`| ${title}`))).toEqual([]);
  const tried = cheats.filter(({ isHonest, isOpen }) => !isHonest && !isOpen).length;
  expect(readFileSync("README.md", "utf8")).toContain(`Of ${tried} ways of gaming`);
});

/** One task with an approving reviewer; `implement` and `tests` are shell. */
async function play({
  implement = addSlug,
  tests = testSlug,
}): Promise<{ outcome: Outcome; judged: Judged }> {
  await using project = await createProject({
    tasks: [task("T-001")],
    files: words,
    gates: { test: "node --test test/*.test.js" },
    config: { proof: {}, limits: { max_iterations: 1 } },
    agent: { implementation: `${implement}\nclaim`, test_writing: `${tests}\nclaim` },
  });
  const outcome = await project.run();
  const judged = outcome.events.findLast((event) => event.type === "proof_judged");
  return { outcome, judged };
}
type Judged = FactOf<"proof_judged"> | undefined;

test("honest work with an honest test is proved without a further iteration", async () => {
  const { outcome, judged } = await play({});
  expect(outcome.exitCode).toBe(0);
  expect(judged).toMatchObject({
    findings: [],
    figures: { red_first: "red", witnessed: 1, tried: 1, tests_before: 3, tests_after: 4 },
  });
  expect(outcome.events.some(({ type }) => type === "iteration_failed")).toBe(false);
  const runs = outcome.facts("proof_gate_end").map(({ part }) => part);
  // Taking back the only change is the tree of the new tests without the work.
  expect(runs).toEqual(["first", "mutant"]);
});

thorough(
  "an old test that is deleted beside an honest new one is asked about once, then a finding",
  async () => {
    const { outcome, judged } = await play({
      implement: `${addSlug}${breakUp}rm test/up.test.js`,
    });
    expect(outcome.exitCode).toBe(0);
    expect(outcome.facts("proof_asked")).toHaveLength(2);
    expect(judged?.findings).toMatchObject([
      { kind: "finding", check: "originals", paths: ["test/up.test.js"] },
      { kind: "finding", check: "witness" },
      { kind: "note", check: "flags" },
    ]);
  },
);

test("a test that also passes without the work is asked about once, then a finding", async () => {
  const vacuous = write("test/slug.test.js", testOf("up", 'up("b"), "B"'));
  const { outcome, judged } = await play({ tests: vacuous });
  expect(outcome.exitCode).toBe(0);
  expect(outcome.facts("proof_asked")).toHaveLength(1);
  expect(judged?.findings).toMatchObject([{ kind: "finding", check: "red_first" }]);
});

thorough(
  "code that old tests judged and nothing judges now is asked about, with its place",
  async () => {
    const patch = `import assert from "node:assert/strict";\nassert.equal = () => {};\nexport const up = (text) => text;`;
    const { outcome } = await play({ implement: `${addSlug}${write("src/up.js", patch)}` });
    expect(outcome.facts("proof_asked").map(({ feedback }) => feedback)).toEqual([
      expect.stringContaining("now they do not: `src/up.js:3`"),
    ]);
  },
);
