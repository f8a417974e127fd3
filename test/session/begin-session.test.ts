import { expect, test } from "vitest";
import { task } from "../support/builders/session.ts";
import { createProject } from "../support/project/project.ts";

test("a list git ignores is refused: exit 14 says what to do", async () => {
  await using project = await createProject();
  project.write(".gitignore", ".ralph/\n");
  project.git("rm", "-rq", "--cached", ".ralph");
  project.git("add", ".gitignore");
  project.git("commit", "-qm", "ignored");
  const { exitCode, stderr } = await project.ralph("run");
  expect(exitCode).toBe(14);
  expect(stderr).toMatch(/\.ralph\/\S+ is not in the current commit.*git add/s);
});

test("the first event names the start of the session", async () => {
  await using project = await createProject({ tasks: [task("T-001")] });
  const start = project.git("rev-parse", "HEAD");
  const { facts } = await project.run();
  expect(facts("session_start")).toMatchObject([
    {
      format: 1,
      branch: "ralph/example",
      start: { commit: start },
      selected: ["T-001"],
      sandbox: "off",
      versions: { node: process.versions.node },
    },
  ]);
});
