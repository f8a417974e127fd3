import { expect, test } from "vitest";
import type { HeadProof } from "../../../src/core/checks/prove.ts";
import { task } from "../../support/builders/session.ts";
import { addSlug, testOf, testSlug, words, write } from "../../support/cheats/cheat.ts";
import { createProject, type Project } from "../../support/project/project.ts";

const withTests = (tests: string) =>
  createProject({
    tasks: [task("T-001")],
    files: words,
    gates: { test: "node --test test/*.test.js" },
    config: { proof: {}, limits: { max_iterations: 1 } },
    agent: { implementation: `${addSlug}\nclaim`, test_writing: `${tests}\nclaim` },
  });

async function prove(project: Project): Promise<{ proof: HeadProof; text: string }> {
  const { stdout } = await project.ralph("audit", "--prove", "--json");
  const { stdout: text } = await project.ralph("audit", "--prove");
  return { proof: JSON.parse(stdout).proof, text };
}

test("the clean room finds from git alone what the proof in place found", async () => {
  await using project = await withTests(write("test/slug.test.js", testOf("up", 'up("b"), "B"')));
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  const { proof, text } = await prove(project);
  expect(proof.kind).toBe("proved");
  expect(proof.work).toEqual([{ task: "T-001", findings: facts("proof_judged")[0]?.findings }]);
  expect(text).toContain("proof of the work of T-001");
  expect(text).toContain("1 finding in the work: people should look at it.");
});

test("honest work has nothing to look at there", async () => {
  await using project = await withTests(testSlug);
  expect((await project.run()).exitCode).toBe(0);
  const { proof } = await prove(project);
  expect(proof).toMatchObject({ kind: "proved", work: [{ task: "T-001", findings: [] }] });
});
