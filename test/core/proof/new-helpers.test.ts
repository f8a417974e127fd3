import { expect, test } from "vitest";
import type { ProofQuestion } from "../../../src/core/proof/question.ts";
import {
  asked,
  judge,
  judged,
  noticed,
  plan,
  proof,
  refused,
} from "../../support/builders/proof.ts";

/** New tests need what an old helper gained. */
const helper = plan({
  old_tests: ["test/check.js"],
  trees: { originals: "old", tests: "old", old_suite: "suite", first: "first", first_old: "both" },
});
const settings = (path: string) =>
  plan({
    controls: [path],
    trees: { originals: "old", controls: "old", old_suite: "suite", first: "first" },
  });
const red = { ...noticed, old: ["red", "red"] } as const;
const noMutant = (path: string) => ({ ...settings(path), mutants: [] });
const oneMutant = (path: string) => ({
  ...settings(path),
  mutants: [{ path: "src/a.js", line: 3, of: "work" as const, tree: "mutant" }],
});
const runs = (more: Record<string, ("red" | "green")[]>) => ({
  ...red,
  ...more,
  old: [...red.old],
});
const carried = plan({ trees: { first: "first", as_found: "found" } });

test.each<[string, Partial<ProofQuestion>, object]>([
  [
    "where old tests are red, they run without the task's own",
    { proof: proof(helper, runs({})) },
    { kind: "run", part: "old_suite", tree: "suite" },
  ],
  [
    "green then, they hold: only new tests need a newer helper",
    { proof: proof(helper, runs({ suite: ["green"] })) },
    { ...judged(), figures: { originals: "green without the new ones" } },
  ],
  [
    "red then, an old test was weakened",
    { proof: proof(helper, runs({ suite: ["red", "red"], both: ["green"] })) },
    asked("originals"),
  ],
  [
    "a fixture that new tests need is a note where they notice code that is wrong",
    {
      proof: proof(oneMutant("tests/conftest.py"), runs({ suite: ["green"], mutant: ["red"] })),
    },
    judged(expect.objectContaining({ kind: "note", check: "controls" })),
  ],
  [
    "where nothing shows that they do, people should look",
    { proof: proof(noMutant("tests/conftest.py"), runs({ suite: ["green"] })) },
    judged(
      expect.objectContaining({ kind: "note", check: "controls" }),
      expect.objectContaining({ kind: "finding", check: "witness" }),
    ),
  ],
  [
    "without which old tests fail, it is refused",
    { proof: proof(settings("tests/conftest.py"), runs({ suite: ["red", "red"] })) },
    refused("controls"),
  ],
  [
    "other settings that new tests need are refused",
    { proof: proof(settings("vitest.config.ts"), runs({ suite: ["green"] })) },
    refused("controls"),
  ],
  [
    "tests of an earlier task run as the session found them",
    { proof: proof(carried, noticed) },
    { kind: "run", part: "as_found", tree: "found" },
  ],
  [
    "where they hold, nothing is said",
    { proof: proof(carried, { ...noticed, found: ["green"] }) },
    judged(),
  ],
  [
    "where they fail, people should look",
    { proof: proof(carried, { ...noticed, found: ["red", "red"] }) },
    judged(expect.objectContaining({ kind: "finding", check: "originals" })),
  ],
])("%s", (_, question, verdict) => {
  expect(judge(question)).toMatchObject(verdict);
});
