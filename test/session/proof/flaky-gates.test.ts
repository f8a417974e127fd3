import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { task } from "../../support/builders/session.ts";
import { createProject, type ProjectOptions } from "../../support/project/project.ts";

/** Fails every second time it runs on the work, first of all; green on the start commit. */
const alternating = (counter: string) =>
  `test ! -e src/T-001.txt || { n=$(cat ${counter} 2>/dev/null || echo 0); echo $((n + 1)) >${counter}; test $((n % 2)) = 1; }`;

const options = (gate: string): ProjectOptions => ({
  tasks: [task("T-001", { requiresTests: false })],
  gates: { test: gate },
  config: { proof: {}, limits: { max_iterations: 1 } },
});

const ledgerOf = (stateDir: string) =>
  readdirSync(stateDir)
    .map((store) => join(stateDir, store, "flaky.json"))
    .at(0) ?? "";

test("a gate that fails every second time costs no iteration, is a finding, and is remembered", async () => {
  await using counter = await createProject();
  await using project = await createProject(options(alternating(join(counter.folder, "runs"))));
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  expect(facts("iteration_failed")).toEqual([]);
  const statuses = facts("gate_end").map(({ status }) => status);
  expect(statuses).toEqual(["failed", "passed", "failed", "passed"]);
  expect(facts("proof_judged")[0]?.findings).toContainEqual(
    expect.objectContaining({ kind: "finding", check: "flaky" }),
  );
  const ledger = ledgerOf(project.stateDir);
  const { gates } = JSON.parse(readFileSync(ledger, "utf8"));
  expect(gates).toMatchObject([{ gate: "test", times: 1 }]);
  project.write(
    ".ralph/prd.json",
    project.read(".ralph/prd.json").replace('"passes": true', '"passes": false'),
  );
  project.git("commit", "-qam", "again");
  const warned = (await project.run()).state.warnings.join("\n");
  expect(warned).toContain("Gates gave different results on the same files");
  writeFileSync(ledger, readFileSync(ledger, "utf8").replace(/"last": "\d+/g, '"last": "2001'));
  expect((await project.run()).state.warnings.join("\n")).not.toContain("Gates gave different");
});

test("a red that stays red counts after its second run", async () => {
  await using project = await createProject(options("test ! -e src/T-001.txt"));
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(3);
  expect(facts("gate_end").map(({ status }) => status)).toEqual(["failed", "failed"]);
  expect(facts("iteration_failed").map(({ because }) => because)).toEqual(["gate"]);
});
