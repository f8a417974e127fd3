import { setOutput } from "@actions/core";
import { RalphError } from "../../error.ts";
import type { GitHub } from "../../github/api/create-github.ts";
import { requireNoProtection } from "../../github/branches/branch-protection.ts";
import { requireNoObstacle, reserveBranch } from "../../github/branches/branch-rules.ts";
import { countBranches } from "../../github/branches/count-branches.ts";
import {
  decideWork,
  type NamedBranch,
  type WorkDecision,
} from "../../github/branches/decide-work.ts";
import { downloadKeptSession } from "../../github/branches/kept-session.ts";
import { requirePullRight } from "../../github/pulls/pull-right.ts";
import type { Prd } from "../../schema/tasks/prd.ts";
import { findWorkBranch, gitIn, requireCheckout } from "../checks/checkout.ts";
import { requireArtifacts } from "../checks/checks.ts";
import { openGitHub, publishingJob } from "../inputs/github-access.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { type PlannedRun, planRun } from "../inputs/plan-run.ts";
import { writeOutputs } from "../job/outputs.ts";
import { writePage } from "../job/show-outcome.ts";
import type { StepContext } from "../step.ts";

/**
 * Decides what a run does about its branch and its open pull request, before anything is installed or spent, and reserves
 * the branch where the token may write. A job that follows a job with `command: begin` takes over its decision.
 */
export async function beginStep(context: StepContext): Promise<number> {
  const { inputs, system } = context;
  if (startsAgents(inputs)) requireArtifacts(context);
  const { RALPH_DECISION: decided, RALPH_BRANCH: branch } = system.env;
  if (!decides(inputs)) return 0;
  const resumeFrom = inputs["resume-from"];
  if (resumeFrom) return announce(context, { kind: "continue", branch: "", runId: resumeFrom });
  if (decided) {
    setOutput("decision", decided);
    setOutput("branch", branch);
    return 0;
  }
  if (context.handed.trim() === "") return 0;
  await requireCheckout(context);
  // The token is not a model key.
  const plan = await planRun({ ...context, handed: "" });
  const { branch: name, isNew } = await findWorkBranch(plan);
  // A run on another branch than the base adds to that branch.
  if (!isNew) return 0;
  const decision = await decide(context, plan, name);
  if (decision.kind === "run") await reserve(context, plan, decision.branch);
  return announce(context, decision);
}

/** Whether this job, or one that follows it, calls agents. */
const startsAgents = ({ command, mode }: Inputs) =>
  ["begin", "claim"].includes(command) ||
  (["run", "autopilot"].includes(command) && mode !== "publish");

const decides = ({ command, mode, "dry-run": dryRun }: Inputs) =>
  command === "begin" || (command === "run" && mode !== "publish" && !dryRun);

const wantsPull = (inputs: Inputs, { pr }: PlannedRun["config"]) =>
  inputs["create-pr"] && pr.enabled;

async function decide(context: StepContext, plan: PlannedRun, name: string): Promise<WorkDecision> {
  const { system, inputs } = context;
  const { GITHUB_ACTOR: actor = "", GITHUB_EVENT_NAME: event } = system.env;
  const { project, config, root } = plan;
  // A workflow that a program started is not started by hand.
  const isByHand = event === "workflow_dispatch" && !actor.endsWith("[bot]");
  const hasOpenTasks = hasWork(project.prd, isByHand);
  const git = gitIn(plan.system, root);
  const head = await readHead(plan);
  const github = openGitHub(context);
  const { used, free } = hasOpenTasks
    ? await countBranches(github, name)
    : { used: [], free: name };
  const session = hasOpenTasks ? await findSession(context, github) : undefined;
  return decideWork({
    ...{ hasOpenTasks, free, head, session, isByHand },
    used: await Promise.all(used.map((branch) => withHistory(git, branch))),
    wantsPull: wantsPull(inputs, config),
    maxContinuations: config.limits.max_continuations,
    now: system.clock.now(),
  });
}

async function readHead({ system, root }: PlannedRun): Promise<string> {
  return (await gitIn(system, root)("rev-parse", "HEAD")).stdout.toString().trim();
}

async function withHistory(git: ReturnType<typeof gitIn>, branch: NamedBranch) {
  const { tip } = branch;
  if (tip === undefined) return branch;
  const { exitCode } = await git("merge-base", "--is-ancestor", tip, "HEAD");
  return { ...branch, isInHistory: exitCode === 0 };
}

/** The example of `ralph init` is not work that anyone asked for, until a person starts it or changes it. */
function hasWork({ tasks, metadata }: Prd, isByHand: boolean): boolean {
  const [first, ...others] = tasks;
  const isExample =
    metadata?.example === true && others.length === 0 && first?.title.startsWith("Example: ");
  return tasks.some(({ passes }) => !passes) && (isByHand || !isExample);
}

/** Undefined as well where the token may not read workflow runs: then no session is continued by itself. */
async function findSession(context: StepContext, github: GitHub) {
  const { system, inputs, print } = context;
  const { workflow, runId } = publishingJob(context);
  if (workflow === undefined) return undefined;
  const folder = `${system.env.RUNNER_TEMP || "/tmp"}/ralph-kept`;
  const suffix = inputs["artifact-suffix"] ?? "";
  try {
    return await downloadKeptSession({ github, system }, { workflow, runId, suffix, folder });
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    print.line(`No earlier session is continued: ${error.message}`);
    return undefined;
  }
}

/**
 * Creates the branch, and checks what the publishing job will need, unless that job has a token of its own. A job that only
 * works has no right to write.
 */
async function reserve(context: StepContext, plan: PlannedRun, branch: string): Promise<void> {
  const { inputs, system } = context;
  const { config } = plan;
  if (inputs.command !== "begin" && inputs.mode !== "all") return;
  const github = openGitHub(context);
  const hasOwnToken = system.env.RALPH_OTHER_TOKEN === "true";
  const { commits } = config;
  if (!hasOwnToken) {
    await requireNoObstacle(github, { branch, commits });
    if (wantsPull(inputs, config)) await requirePullRight(github, config.git.base_branch);
  }
  await reserveBranch(github, { branch, commit: await readHead(plan) });
  // GitHub shows the protection of branches that exist.
  if (!hasOwnToken) await requireNoProtection(github, { branch, commits });
}

async function announce(context: StepContext, decision: WorkDecision): Promise<number> {
  const { print } = context;
  setOutput("decision", decision.kind);
  if (decision.kind === "refuse") throw new RalphError("git", decision);
  if (decision.kind === "quiet") {
    const { message, pull } = decision;
    writeOutputs({
      ...{ status: "nothing_to_do", "stop-reason": "nothing_to_do", "exit-code": "0" },
      ...(pull && { "pr-number": String(pull.number), "pr-url": pull.url }),
    });
    print.line(message);
    await writePage(context, `${message}\n`);
    return 0;
  }
  if (decision.kind === "run") print.line(`The run works on the branch ${decision.branch}.`);
  else setOutput("resume-from", decision.runId);
  setOutput("branch", decision.branch);
  return 0;
}
