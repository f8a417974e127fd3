import { join } from "node:path";
import { createActionProject } from "../../../test/support/action/project.ts";
import { stepWorkflow } from "../../../test/support/action/workflow.ts";
import { task } from "../../../test/support/builders/session.ts";
import { bareWorkflow, type JobTimes, timeJob } from "./action-job.ts";
import { median } from "./measure.ts";
import type { Effort } from "./overhead.ts";
import { type Row, row } from "./row.ts";
import { startTinyRegistry } from "./tiny-registry.ts";

type Round = { bare: JobTimes; action: JobTimes; installing: JobTimes };

/** The time a job waits for its first agent, beside a step that calls the same agent, both in the runner of our tests. */
export async function measureAction({ place, rounds }: Pick<Effort, "place" | "rounds">) {
  const measured: Round[] = [];
  for (let round = 0; round < 3 * rounds; round++) {
    measured.push(await measureRound(join(place, `action-${round}`)));
  }
  return rowsOf(measured);
}

async function measureRound(name: string): Promise<Round> {
  const started = `${name}-started`;
  const agent = `[ -e ${started} ] || : > ${started}\nhonest`;
  await using github = await createActionProject({ tasks: [task("T-001")], agent });
  const program = `${github.project.folder}/bin/agent`;
  const action = await timeJob(github, { workflow: stepWorkflow(), started });
  const bare = await timeJob(github, { workflow: bareWorkflow(program), started });
  return { bare, action, installing: await measureInstallation(name) };
}

/** The agent is a package of a few hundred bytes from a registry on this machine: what a real one weighs is not ours. */
async function measureInstallation(name: string): Promise<JobTimes> {
  const started = `${name}-installed-started`;
  const script = `#!/bin/sh\n[ "$1" != --version ] || { echo codex-cli 1.0.0; exit; }\n: > ${started}\nexec sleep 60\n`;
  await using registry = await startTinyRegistry({ name: "@openai/codex", bin: "codex", script });
  const codex = { driver: "codex" };
  const agents = { implementation: codex, test_writing: codex, review: codex };
  await using github = await createActionProject({ tasks: [task("T-001")], agents });
  const workflow = stepWorkflow({ "agent-version": "1.0.0", "openai-api-key": "sk-none" });
  const env = { npm_config_registry: registry.url, npm_config_cache: `${name}-npm` };
  return await timeJob(github, { workflow, started, env, endsAtCall: true });
}

function rowsOf(rounds: readonly Round[]): Row[] {
  const of = (kind: keyof Round, name: keyof JobTimes) =>
    median(rounds.map((round) => round[kind][name]));
  const bareCall = of("bare", "callMs");
  const call = of("action", "callMs");
  const beside = `a bash step ${bareCall.toFixed(0)} ms`;
  const bareJob = `bash step's job ${of("bare", "jobMs").toFixed(0)} ms`;
  const installing = of("installing", "firstStepMs");
  const more = { beside, figure: call - bareCall, unit: "ms more", goal: 1000 } as const;
  return [
    row("run step to first agent call", call, "ms", more),
    row("action's first step to first agent call", of("action", "firstStepMs"), "ms", { beside }),
    row("the same, and a tiny agent is installed", installing, "ms", { beside }),
    row("whole job of the action, one task", of("action", "jobMs"), "ms", {
      ...{ beside: bareJob, goal: 5000 },
    }),
  ];
}
