import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { runsAll } from "../setup/sampled.ts";
import { createGitProject } from "../support/project/git.ts";
import { hasBubblewrap } from "../support/project/sandbox.ts";
import { runWorkflow } from "../support/runner/run-workflow.ts";

type Step = { run?: string };

/** Agents in the sandbox see a /dev of their own, so what they start cannot lie in /dev/shm. */
function onDisk(): AsyncDisposable {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = "/var/tmp";
  return {
    async [Symbol.asyncDispose]() {
      process.env.TMPDIR = TMPDIR;
    },
  };
}

test.runIf(hasBubblewrap && runsAll)(
  "the smoke job of CI is green: this action on a project with scripted agents",
  async () => {
    await using _ = onDisk();
    await using project = await createGitProject();
    for (const path of ["action.yml", "dist", "src/action/programs", ".github/scripts/demo"]) {
      cpSync(path, join(project.root, path), { recursive: true });
    }
    project.git("add", "--all");
    project.git("commit", "--quiet", "--message=the action and its build");
    const { jobs } = parse(readFileSync(".github/workflows/ci.yml", "utf8"));
    const { smoke } = jobs;
    // What makes a fresh machine ready would change this one.
    smoke.steps = smoke.steps.filter(({ run }: Step) => !run?.includes("sudo"));
    const text = stringify({ on: "workflow_dispatch", permissions: {}, jobs: { smoke } });
    await using result = await runWorkflow(text, { repository: project.root });
    expect(result.conclusion, result.jobs[0]?.log.join("\n")).toBe("success");
  },
);
