import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ActionProject, createActionProject } from "../action/project.ts";
import { task } from "../builders/session.ts";
import type { WorkflowResult } from "../runner/model.ts";

const daySeconds = 24 * 60 * 60;

/** One run of the workflow, and what it cost. */
export interface Night {
  runId: string;
  conclusion: WorkflowResult["conclusion"];
  /** Calls of agents, as `T-001 implementation`. */
  calls: string[];
  /** Everything the jobs have logged. */
  log: string;
}

export interface NightOptions {
  /** A person starts it by hand; default: the schedule. */
  inputs?: Record<string, string>;
  /** The event of the schedule, of a person, or of a workflow that starts another one. */
  by?: "schedule" | "person" | "program";
  /** Cancels the jobs at this call of an agent, such as `T-001 implementation`. */
  cancelAt?: string;
  /** Happens when the first agent starts. */
  atFirstCall?: () => void;
}

/** A repository with a workflow that somebody was told to add, and the nights after that. */
export interface Nights extends AsyncDisposable {
  github: ActionProject;
  night: (options?: NightOptions) => Promise<Night>;
  /** Adds open tasks to the list of the base branch. */
  addTasks: (...ids: string[]) => void;
  /** Merges a branch as one new commit, as GitHub does by "Squash and merge"; the branch stays. */
  squash: (branch: string) => void;
  close: (branch: string) => void;
}

/**
 * Tasks do honest work. The one that a file beside the list of calls names does so once the other way: with `.limit` it
 * meets a usage limit of seven hours, with `.end` the job's time is over after its implementation, with `.wait` it waits.
 */
const agent = `echo "$task $role" >>"$CALLS"
if [ "$task" = "$(cat "$CALLS.limit" 2>/dev/null)" ]; then
  rm "$CALLS.limit"
  echo "Claude AI usage limit reached|$(($(date +%s) + SHIFT_SECONDS + 25200))"
  exit 1
fi
if [ "$task $role" = "$(cat "$CALLS.end" 2>/dev/null) implementation" ]; then
  mv "$CALLS.end" "$CALLS.over"
fi
if [ "$task $role" = "$(cat "$CALLS.wait" 2>/dev/null)" ]; then rm "$CALLS.wait"; sleep 60; fi
honest`;

export async function createNights(workflow: string): Promise<Nights> {
  const github = await createActionProject({
    tasks: [task("T-001")],
    agent,
    agents: { env: ["CALLS", "SHIFT_SECONDS"] },
    files: { ".github/workflows/ralph.yml": workflow },
    mayActionsOpenPulls: true,
  });
  const { project } = github;
  const bare = join(project.folder, "github/octo/example.git");
  const sudo = join(project.folder, "bin/sudo");
  writeFileSync(sudo, "#!/bin/sh\n");
  chmodSync(sudo, 0o755);
  let count = 0;
  const calls = join(project.folder, "bin/calls");
  const night = async ({
    inputs,
    by = "schedule",
    cancelAt,
    atFirstCall,
  }: NightOptions = {}): Promise<Night> => {
    count++;
    writeFileSync(calls, "");
    rmSync(`${calls}.over`, { force: true });
    if (cancelAt !== undefined) writeFileSync(`${calls}.wait`, cancelAt);
    const runId = String(1000 + count);
    const running = await github.start(
      github.remoteGit("show", "main:.github/workflows/ralph.yml"),
      {
        runId,
        onLine: (line) => {
          if (line.includes("T-001 implementation started")) atFirstCall?.();
        },
        ...(inputs && { inputs }),
        secrets: { ANTHROPIC_API_KEY: "sk-ant-canary" },
        env: {
          PATH: `${project.folder}/bin:${process.env.PATH}`,
          CALLS: calls,
          SHIFT_SECONDS: String(count * daySeconds),
          OVERTIME_FILE: `${calls}.over`,
        },
        github: {
          event_name: by === "schedule" ? "schedule" : "workflow_dispatch",
          actor: by === "program" ? "github-actions[bot]" : "ada",
          event: { repository: { default_branch: "main" } },
        },
      },
    );
    await using _ = running;
    if (cancelAt !== undefined) {
      while (existsSync(`${calls}.wait`)) await new Promise((done) => setTimeout(done, 20));
      running.cancel();
    }
    const result = await running.result;
    github.keep(runId, result.artifacts);
    return {
      runId,
      conclusion: result.conclusion,
      calls: readFileSync(calls, "utf8").split("\n").filter(Boolean),
      log: result.jobs.map(({ name, log }) => `== ${name}\n${log.join("\n")}`).join("\n"),
    };
  };
  const commit = (message: string) => {
    project.git("add", "-A");
    project.git("commit", "-qm", message);
    project.gitIn(project.root, "push", "-q", bare, "main");
  };
  const pullOf = (branch: string) => {
    const pull = github.state.pulls.find(({ head }) => head.ref === branch);
    if (!pull) throw new Error(`There is no pull request from ${branch}.`);
    return pull;
  };
  return {
    github,
    night,
    addTasks: (...ids) => {
      const list = JSON.parse(project.read(".ralph/prd.json"));
      list.tasks.push(...ids.map((id) => task(id)));
      project.write(".ralph/prd.json", `${JSON.stringify(list, null, 2)}\n`);
      commit("chore: new tasks");
    },
    squash: (branch) => {
      project.git("fetch", "-q", bare, branch);
      project.git("merge", "-q", "--squash", "FETCH_HEAD");
      commit(`feat: ${branch}`);
      Object.assign(pullOf(branch), { state: "closed", merged_at: new Date().toISOString() });
    },
    close: (branch) => void Object.assign(pullOf(branch), { state: "closed" }),
    [Symbol.asyncDispose]: () => github[Symbol.asyncDispose](),
  };
}

/** The stand-in for an agent reports no cost, so it cannot keep a budget. */
export const withoutBudget = (workflow: string) => workflow.replace(/^ *budget-usd:.*\n/m, "");

/** The next agent that works on a task meets a usage limit that resets after seven hours. */
export function limitAt({ github }: Nights, id: string): void {
  writeFileSync(join(github.project.folder, "bin/calls.limit"), id);
}

/** The job's time is over once an agent has implemented a task. */
export function endTimeAt({ github }: Nights, id: string): void {
  writeFileSync(join(github.project.folder, "bin/calls.end"), id);
}
