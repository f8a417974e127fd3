import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { HeadProof } from "../../../src/core/checks/prove.ts";
import { thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import { addSlug, testOf, testSlug, words, write } from "../../support/cheats/cheat.ts";
import { createProject, type Project, sessionFolders } from "../../support/project/project.ts";

const withTests = (tests: string) =>
  createProject({
    tasks: [task("T-001")],
    files: words,
    gates: { test: "node --test test/*.test.js" },
    config: { proof: {}, limits: { max_iterations: 1 } },
    agent: { implementation: `${addSlug}\nclaim`, test_writing: `${tests}\nclaim` },
  });

/** Where the work was done, or by its bundle in a clone of the base branch, which has none of its objects. */
async function prove(
  project: Project,
  isElsewhere = false,
): Promise<{ proof: HeadProof; readText: () => Promise<string> }> {
  const place = isElsewhere ? cloneElsewhere(project) : { root: project.root, bundle: [] };
  const audit = (...more: string[]) =>
    project.ralphIn(place.root, "audit", "--prove", ...more, ...place.bundle);
  const { stdout } = await audit("--json");
  const readText = async () => (await audit()).stdout;
  return { proof: JSON.parse(stdout).proof, readText };
}

function cloneElsewhere(project: Project) {
  const root = join(project.folder, "clone");
  const bundle = join(project.folder, "bundle");
  cpSync(sessionFolders(project.stateDir)[0] ?? "none", bundle, { recursive: true });
  // By way of the protocol: a clone of a folder would take every object.
  project.git("clone", "-q", "-b", "main", "--single-branch", `file://${project.root}`, root);
  return { root, bundle: [bundle] };
}

test("the clean room finds from git alone what the proof in place found", async () => {
  await using project = await withTests(write("test/slug.test.js", testOf("up", 'up("b"), "B"')));
  const { exitCode, facts } = await project.run();
  expect(exitCode).toBe(0);
  const { proof, readText } = await prove(project);
  expect(proof.kind).toBe("proved");
  expect(proof.work).toEqual([{ task: "T-001", findings: facts("proof_judged")[0]?.findings }]);
  const text = await readText();
  expect(text).toContain("proof of the work of T-001");
  expect(text).toContain("1 finding in the work: people should look at it.");
});

const places = [
  ["in a clone that has only the bundle's objects", true],
  ["where it was done", false],
] as const;
thorough.for(places)("honest work has nothing to look at %s", async ([, isElsewhere]) => {
  await using project = await withTests(testSlug);
  expect((await project.run()).exitCode).toBe(0);
  const { proof } = await prove(project, isElsewhere);
  expect(proof).toMatchObject({ kind: "proved", work: [{ task: "T-001", findings: [] }] });
});
