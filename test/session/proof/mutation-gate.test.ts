import { expect, test } from "vitest";
import { countedFiles, countingGate } from "../../support/builders/counting-gate.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type ProjectOptions } from "../../support/project/project.ts";

const report = (survivor: string) =>
  JSON.stringify({
    schemaVersion: "2",
    files: {
      [survivor]: {
        mutants: [
          { status: "Survived", location: { start: { line: 1, column: 1 } } },
          ...Array.from({ length: 10 }, () => ({
            status: "Killed",
            location: { start: { line: 1, column: 1 } },
          })),
        ],
      },
    },
  });

const options = (script: string): ProjectOptions => ({
  tasks: [task("T-001")],
  files: { ...countedFiles, ".gitignore": "reports/\n", "mutate.sh": script },
  config: {
    proof: {},
    limits: { max_iterations: 1 },
    gates: {
      full: [
        { name: "test", cmd: countingGate },
        {
          name: "mutants",
          cmd: "sh mutate.sh",
          kind: "mutation",
          report: "reports/mutation.json",
          fatal: false,
        },
      ],
    },
  },
  agent: {
    implementation: "echo new >src/new.js; claim",
    test_writing: "echo 'grep -q new src/new.js' >tests/new.sh; claim",
  },
});

test("the score of the project's own mutation testing joins the proof's figures, in every view", async () => {
  const script = `mkdir -p reports; echo '${report("src/new.js")}' >reports/mutation.json; echo '# tests 99'`;
  await using project = await createProject(options(script));
  const { exitCode, facts } = await project.run();
  expect(facts("iteration_failed")).toEqual([]);
  expect(exitCode).toBe(0);
  expect(facts("proof_judged")[0]).toMatchObject({
    figures: { witnessed: 11, tried: 12, tests_after: 2 },
    findings: [{ kind: "note", message: expect.stringContaining("`src/new.js:1`") }],
  });
  const markdown = await project.ralph("report", "--markdown");
  expect(markdown.stdout).toContain("11 of 12 changes noticed");
  const page = await project.ralph("report", "--html", "../report.html");
  expect(page.exitCode).toBe(0);
  expect(project.read("../report.html")).toContain("11 of 12 changes noticed");
});

test("a report of an earlier run is no score", async () => {
  const once =
    "test -e reports/mutation.json && echo kept; test -e src/new.js || { mkdir -p reports; echo '{}' >reports/mutation.json; }";
  await using project = await createProject(options(once));
  const { facts } = await project.run();
  expect(facts("gate_end").find(({ gate }) => gate === "mutants")).toMatchObject({
    status: "not_started",
    detail: expect.stringContaining("reports/mutation.json was not written"),
  });
  expect(facts("proof_judged")[0]?.figures).toMatchObject({ witnessed: 1, tried: 1 });
});
