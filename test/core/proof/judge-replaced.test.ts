import { expect, test } from "vitest";
import type { ProofQuestion } from "../../../src/core/proof/question.ts";
import { judge, plan, proof } from "../../support/builders/proof.ts";

const inProduct = plan({
  tests: [],
  trees: {},
  hunks: [{ path: "src/a.rs", line: 3, tree: "hunk", old_test: true }],
});
const red: Partial<ProofQuestion> = { proof: proof(inProduct, { hunk: ["red", "red"] }) };
const without = { hasTestWriter: false };

test.each<[string, Partial<ProofQuestion>, object]>([
  [
    "runs, also where no test is asked for",
    { ...without, proof: proof(inProduct) },
    { kind: "run", part: "hunk", tree: "hunk", gate: "test" },
  ],
  [
    "that is red is a finding",
    { ...without, ...red },
    { findings: [{ kind: "finding", check: "originals" }], figures: { originals: "red" } },
  ],
  [
    "in a file that the task names is a note",
    { ...without, ...red, words: "Change src/a.rs" },
    { findings: [{ kind: "note", check: "originals" }] },
  ],
  [
    "that is red is refused where no behaviour may change",
    { ...without, ...red, keepsBehaviour: true },
    { kind: "refused" },
  ],
  [
    "that holds says nothing",
    { ...without, proof: proof(inProduct, { hunk: ["green"] }) },
    { kind: "judged", findings: [], figures: { originals: "green" } },
  ],
])("an old test within the product %s", (_, given, verdict) => {
  expect(judge(given)).toMatchObject(verdict);
});
