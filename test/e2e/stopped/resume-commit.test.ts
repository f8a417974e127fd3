import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createProgram } from "../../../src/cli/program.ts";
import { sampled } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import { createProject, type Project, sessionFolders } from "../../support/project/project.ts";

const tasks = ["T-001", "T-002"].map((id) => task(id, { priority: 1, requiresTests: false }));

test.for(sampled(["1", "2"], 1))(
  "killed right after the branch moved, the commit has the same id again, also where another task had failed (--parallel %s)",
  async (parallel) => {
    const isFailed = `grep -q task_failed "$STATE"/*/sessions/*/journal.jsonl`;
    const agent = {
      review: `
if [ "$task" = T-001 ]; then signal review-rejected; exit; fi
until ${isFailed}; do sleep 0.05; done; honest`,
    };
    const config = { limits: { max_iterations: 1 } };
    await using project = await createProject({ tasks, agent, config, agents: { env: ["STATE"] } });
    const env = { ...project.system.env, STATE: project.stateDir };
    Object.assign(project.system, { env });
    const args = ["--keep-going", "--parallel", parallel];
    expect((await project.run(...args)).exitCode).toBe(3);
    const commit = project.git("rev-parse", "HEAD");
    // What T-001 has taught is part of the commit of T-002.
    expect(project.git("show", "--name-only", "--format=", "HEAD")).toContain("guardrails.md");
    cutAfterPass(sessionFolders(project.stateDir)[0] ?? "");
    const { facts } = await project.run("--resume", ...args);
    expect(facts("task_committed").map((fact) => fact.commit)).toEqual([commit]);
    expect(project.git("rev-parse", "HEAD")).toBe(commit);
    expect((await project.ralph("audit")).exitCode).toBe(0);
  },
);

/** `ralph run`, cancelled in the moment a task passes. */
async function cancelAtPass({ root, system }: Project, args: readonly string[]): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const controller = new AbortController();
  const { signal } = controller;
  const files: typeof system.files = (folder) => {
    const real = system.files(folder);
    // Evidence becomes durable right before the pass is journaled.
    const sync: typeof real.sync = async (paths) => {
      controller.abort();
      await real.sync(paths);
    };
    return { ...real, sync };
  };
  const program = await createProgram(
    {
      ...{
        system: () => ({ ...system, files }),
        directory: root,
        cancel: () => signal,
        exit: resolve,
      },
      streams: { stdout: { write: () => {} }, stderr: { write: () => {} } },
    },
    ["run"],
  );
  await program.parseAsync(["node", "ralph", "run", ...args]);
  return promise;
}

test.for(sampled(["2", "1"], 1))(
  "a task that passed is committed, also when the session ends in that moment (--parallel %s)",
  async (parallel) => {
    await using project = await createProject({ tasks });
    expect(await cancelAtPass(project, ["--parallel", parallel])).toBe(7);
    const [passed, ...more] = project.commits();
    expect(passed).toMatch(/^feat\(T-00[12]\): /);
    expect(more).toEqual([]);
    expect(project.git("status", "--porcelain")).toBe("");
    // A new session does not know the old one's journal.
    expect((await project.run("--parallel", parallel)).exitCode).toBe(0);
    expect(project.commits()).toHaveLength(2);
  },
);

/** As if the power had gone before the next line was on the disk. */
function cutAfterPass(folder: string): void {
  const path = join(folder, "journal.jsonl");
  const lines = readFileSync(path, "utf8").split("\n");
  const last = lines.findIndex((line) => line.includes('"task_passed"'));
  writeFileSync(path, `${lines.slice(0, last + 1).join("\n")}\n`);
}
