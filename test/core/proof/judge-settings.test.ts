import { expect, test } from "vitest";
import type { ProofQuestion } from "../../../src/core/proof/question.ts";
import {
  gate,
  judge,
  judged,
  noticed,
  plan,
  proof,
  refused,
} from "../../support/builders/proof.ts";

/** A gate that counts no tests. */
const uncounted = gate({
  gate: "lint",
  before: { status: "passed" },
  after: { status: "passed" },
});
const named = (path: string, product: string[] = []) =>
  plan({
    product: ["src/a.js", ...product],
    scripts: [{ path, gates: ["test"] }],
    trees: { first: "first", scripts: "scripts", scripts_only: "scripts" },
  });
const loosened = plan({
  controls: ["biome.json"],
  trees: { first: "first", originals: "old", controls: "old" },
});
const finding = (paths: string[], kind = "finding") =>
  judged(expect.objectContaining({ kind, check: "controls", paths }));

test.each<[string, Partial<ProofQuestion>, object]>([
  [
    "a script that a gate runs is put back",
    { proof: proof(named("check.sh"), noticed) },
    { kind: "run", part: "scripts", tree: "scripts", gate: "test" },
  ],
  [
    "where the gate counts tests and is red with it, the work is refused",
    { proof: proof(named("check.sh"), { ...noticed, scripts: ["red", "red"] }) },
    refused("controls"),
  ],
  [
    "where it stays green, nothing is said",
    { proof: proof(named("check.sh"), { ...noticed, scripts: ["green"] }) },
    judged(),
  ],
  [
    "a file of the product is for people to look at",
    {
      proof: proof(named("src/check.js", ["src/check.js"]), {
        ...noticed,
        scripts: ["red", "red"],
      }),
    },
    finding(["src/check.js"]),
  ],
  [
    "unless the task names it",
    {
      proof: proof(named("src/check.js", ["src/check.js"]), {
        ...noticed,
        scripts: ["red", "red"],
      }),
      words: "Let src/check.js accept more",
    },
    finding(["src/check.js"], "note"),
  ],
  [
    "a gate that did not end says nothing, which is told",
    { proof: proof(named("check.sh"), { ...noticed, scripts: ["timeout", "timeout"] }) },
    finding(["check.sh"]),
  ],
  [
    "a gate that counts no tests is asked with old settings too",
    { gates: [uncounted], proof: proof(loosened) },
    { kind: "run", part: "controls", tree: "old", gate: "lint" },
  ],
  [
    "and people should look where it is red then",
    { gates: [uncounted], proof: proof(loosened, { old: ["red", "red"] }) },
    {
      kind: "judged",
      findings: expect.arrayContaining([
        expect.objectContaining({ kind: "finding", paths: ["biome.json"] }),
      ]),
    },
  ],
  [
    "a gate that was red before the task shows nothing",
    {
      gates: [gate(), { ...uncounted, key: "l", before: { status: "failed" } }],
      proof: proof(loosened, { ...noticed, old: ["green"] }),
    },
    judged(),
  ],
])("%s", (_, question, verdict) => {
  expect(judge(question)).toMatchObject(verdict);
});
