import { expect, test } from "vitest";
import { readKeptProof } from "../../../src/cli/publish/kept-proof.ts";
import { locateProject } from "../../../src/session/open/locate-project.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type ProjectOptions } from "../../support/project/project.ts";

/** A session that is done, in a project with a remote of its own. */
async function createDone(options: ProjectOptions = {}) {
  const project = await createProject({ tasks: [task("T-001")], ...options });
  project.gitIn(project.folder, "clone", "-q", "--bare", project.root, "origin.git");
  project.git("remote", "add", "origin", `file://${project.folder}/origin.git`);
  const { exitCode, stderr, state } = await project.run();
  expect(exitCode, stderr).toBe(0);
  const { store } = await locateProject(project.system, project.root);
  return { project, head: state.head, store };
}

test("what `ralph audit --prove` found is known to `ralph publish`, for that head only", async () => {
  const { project, head, store } = await createDone();
  await using _ = project;
  expect(await readKeptProof(store, head)).toBeUndefined();
  await project.ralph("audit", "--prove");
  expect(await readKeptProof(store, head)).toMatchObject({
    kind: "proved",
    base: { kind: "current", branch: "main" },
  });
  expect(await readKeptProof(store, "0".repeat(40))).toBeUndefined();
  const { stdout } = await project.ralph("publish", "--dry-run");
  expect(stdout).toContain("as a draft: its work was not proved in a clean room");
  // A clone on the machine of the agents is no clean room, whatever it found.
  expect(stdout).toContain(
    "Proved in place: on the machine where the agents worked, where gates and criteria ran again in a new checkout.",
  );
});

test("what a fresh clone refuted stays a draft", async () => {
  const { project } = await createDone({
    files: { ".gitignore": "cache/\n" },
    gates: { faked: "test ! -e src || cat cache/result" },
    agent: { implementation: "mkdir -p cache && echo ok >cache/result; honest" },
  });
  await using _ = project;
  expect((await project.ralph("audit", "--prove")).exitCode).toBe(4);
  const { stdout } = await project.ralph("publish", "--dry-run");
  expect(stdout).toContain("as a draft: a check without agents failed");
  expect(stdout).not.toContain("Proved in place");
  expect(stdout).toContain("**Refuted in a checkout without agents**");
  expect(stdout).toContain("- Checkout: gate faked does not hold");
});
