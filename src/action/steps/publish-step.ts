import { continueRun } from "../../github/publish/continue-run.ts";
import { publishPlan } from "../../github/publish/publish-plan.ts";
import type { PublicationResult } from "../../github/publish/publish-pull.ts";
import { publishSession } from "../../github/publish/publish-session.ts";
import type { PublishedBranch } from "../../github/push/publish-branch.ts";
import { journalFile, replayJournal } from "../../journal/journal.ts";
import type { ReadFiles } from "../../platform/system.ts";
import { planFile } from "../../session/bundle/bundled-plan.ts";
import { counted } from "../../text/figures.ts";
import { workflowCommand } from "../../views/job/workflow-command.ts";
import { requireDigest } from "../checks/require-digest.ts";
import { downloadedBundle } from "../inputs/downloaded-bundle.ts";
import { openGitHub } from "../inputs/github-access.ts";
import { keepClaim } from "../inputs/keep-claim.ts";
import { type Bundle, planRequestOf, publishRequestOf } from "../inputs/publish-request.ts";
import { writeOutputs } from "../job/outputs.ts";
import type { StepContext } from "../step.ts";

/**
 * The only step that may write: pushes the session's branch, opens its pull request, and lets a session out of time go
 * on in another run.
 */
export async function publishStep(context: StepContext): Promise<number> {
  const { system, print } = context;
  const own = system.env.RALPH_BUNDLE;
  const bundle = own || (await downloadedBundle(system));
  await requireDigest(system, bundle);
  await keepClaim(context);
  const given = { folder: bundle, own: Boolean(own) };
  if (await isDocument(system.files(bundle))) return publishDocument(context, given);
  const { branch, pull } = await publishSession(system, await publishRequestOf(context, given));
  writePublished({ branch: branch && isPushed(branch) ? branch.branch : undefined, pull });
  for (const { path, message } of branch?.flagged ?? []) {
    print.command(workflowCommand("notice", message, { file: path, title: "ralph: look at this" }));
  }
  if (branch) {
    const maxContinuations = branch.config.limits.max_continuations;
    await continueWhenOutOfTime(context, { bundle, maxContinuations });
  }
  return 0;
}

/** An autopilot run that waits for a reader has no session yet: its document is all there is. */
async function isDocument(bundle: ReadFiles): Promise<boolean> {
  const [journal, plan] = await Promise.all(
    [journalFile, planFile].map((path) => bundle.stat(path)),
  );
  return plan !== undefined && journal === undefined;
}

async function publishDocument(context: StepContext, bundle: Bundle): Promise<number> {
  const plan = await publishPlan(context.system, await planRequestOf(context, bundle));
  writePublished({ branch: isPushed(plan) ? plan.branch : undefined, pull: plan.pull });
  return 0;
}

/** Whether the branch is on GitHub: what is empty, or nobody would review, stays here. */
const isPushed = ({ kind }: { kind: PublishedBranch["kind"] }) =>
  kind === "pushed" || kind === "up-to-date";

type Place = { branch?: string | undefined; pull?: PublicationResult["pull"] | undefined };

function writePublished({ branch, pull }: Place): void {
  writeOutputs({
    ...(branch !== undefined && { branch }),
    ...(pull && { "pr-number": String(pull.number), "pr-url": pull.url }),
  });
}

async function continueWhenOutOfTime(
  context: StepContext,
  session: { bundle: string; maxContinuations: number },
): Promise<void> {
  const { system, print } = context;
  const replay = await replayJournal(system.files(session.bundle));
  if (replay?.state.end?.reason !== "checkpoint") return;
  const { GITHUB_RUN_ID: runId = "", GITHUB_WORKFLOW_REF: workflowRef = "" } = system.env;
  const github = openGitHub(context);
  const { workflow, continuation } = await continueRun(
    { github, system },
    { ...session, runId, workflowRef },
  );
  print.line(
    `${workflow} was started again and goes on (${counted(continuation, "continuation")}).`,
  );
}
