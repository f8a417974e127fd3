import { expect, test } from "vitest";
import { sampled } from "../../setup/sampled.ts";
import { countedFiles, countingGate } from "../../support/builders/counting-gate.ts";
import { task } from "../../support/builders/session.ts";
import { createDyingMachine, type LastWord } from "../../support/crash/dying-journal.ts";
import { createProject } from "../../support/project/project.ts";

/** The test writer's first tests hold before the work, so it is asked; then everything is honest. */
const agent = {
  test_writing: `if [ "$attempt" = 1 ]; then echo true >tests/new.sh; else echo 'grep -q new src/new.js' >tests/new.sh; fi; claim`,
  implementation: 'echo new >src/new.js; claim "$@"',
};

const moments: readonly ["tests_first" | "tests_last", LastWord][] = [
  ["tests_first", { type: "work_shown" }],
  ["tests_first", { type: "proof_asked" }],
  ["tests_first", { type: "work_shown", nth: 2 }],
  ["tests_first", { type: "work_shown", nth: 3 }],
  ["tests_last", { type: "proof_planned" }],
  // The third call is the first review, and the first run of the proof goes on beside it.
  ["tests_last", { type: "agent_start", nth: 3 }],
  ["tests_last", { type: "proof_gate_end" }],
  ["tests_last", { type: "agent_end", nth: 3 }],
  ["tests_last", { type: "proof_asked" }],
  ["tests_last", { type: "proof_gate_end", nth: 2 }],
  ["tests_last", { type: "proof_judged" }],
];

test.each(sampled(moments, 2))(
  "%s: a run that dies after %o continues and is proved",
  async (order, lastWord) => {
    await using project = await createProject({
      tasks: [task("T-001")],
      files: countedFiles,
      gates: { test: countingGate },
      config: { proof: {}, tests: { order }, limits: { max_iterations: 3 } },
      agent,
      wrap: createDyingMachine(lastWord),
    });
    const died = await project.ralph("run");
    expect(died.exitCode).toBe(70);
    const { exitCode, facts } = await project.run("--resume");
    expect(exitCode).toBe(0);
    expect(facts("proof_judged").at(-1)).toMatchObject({
      findings: [],
      figures: { red_first: "red", tests_before: 1, tests_after: 2 },
    });
    expect(facts("iteration_failed")).toEqual([]);
    expect(project.git("show", "HEAD:tests/new.sh")).toContain("grep");
    expect(project.git("status", "--porcelain")).toBe("");
    expect((await project.ralph("audit")).exitCode).toBe(0);
  },
);
