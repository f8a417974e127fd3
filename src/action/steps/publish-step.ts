import { requireClaim } from "../../github/claims/claim.ts";
import { parseClaimLine } from "../../github/claims/claim-note.ts";
import { continueRun, judgeContinuation } from "../../github/publish/continue-run.ts";
import type { PublicationResult } from "../../github/publish/publish-pull.ts";
import { publishPlan, publishSession } from "../../github/publish/publisher.ts";
import { readJournal } from "../../journal/audit.ts";
import { journalFile } from "../../journal/journal.ts";
import type { ReadFiles } from "../../platform/system.ts";
import { planFile } from "../../session/bundle/bundled-objects.ts";
import { counted } from "../../text/figures.ts";
import { workflowCommand } from "../../views/job/workflow-command.ts";
import { requireDigest } from "../checks/checks.ts";
import { downloadedBundle } from "../inputs/downloaded-bundle.ts";
import { openGitHub, publishingJob } from "../inputs/github-access.ts";
import { planRequestOf, publishRequestOf } from "../inputs/publish-request.ts";
import { writeOutputs } from "../job/outputs.ts";
import type { StepContext } from "../step.ts";

/**
 * The only step that may write: pushes the session's branch, opens its pull request, and starts the run that continues a
 * session out of time.
 */
export async function publishStep(context: StepContext): Promise<number> {
  const { system, inputs, print } = context;
  const own = system.env.RALPH_BUNDLE;
  const bundle = own || (await downloadedBundle(system, inputs));
  await requireDigest(system, bundle);
  await keepClaim(context);
  const published = { folder: bundle, own: Boolean(own) };
  if (await isDocument(system.files(bundle))) {
    writePublished(await publishPlan(system, await planRequestOf(context, published)));
    return 0;
  }
  const result = await publishSession(system, await publishRequestOf(context, published));
  writePublished(result);
  const { branch } = result;
  for (const { path, message } of branch?.flagged ?? []) {
    print.command(workflowCommand("notice", message, { file: path, title: "ralph: check this" }));
  }
  if (branch) {
    const maxContinuations = branch.config.limits.max_continuations;
    await continueWhenOutOfTime(context, { bundle, maxContinuations });
  }
  return 0;
}

/** The claim from before the agents started must still belong to this run (exit 24). A job without a claim needs none. */
async function keepClaim(context: StepContext): Promise<void> {
  const { env, clock } = context.system;
  const { RALPH_CLAIM: line } = env;
  if (line) await requireClaim({ github: openGitHub(context), clock }, parseClaimLine(line));
}

/** Whether the bundle only has the document of an autopilot run, which waits for review and has no session yet. */
async function isDocument(bundle: ReadFiles): Promise<boolean> {
  const [journal, plan] = await Promise.all(
    [journalFile, planFile].map((path) => bundle.stat(path)),
  );
  return plan !== undefined && journal === undefined;
}

/** The outputs of a publication. An empty branch, or one without anything to review, is not on GitHub. */
function writePublished({ branch, pull }: PublicationResult): void {
  const isPushed = branch?.kind === "pushed" || branch?.kind === "up-to-date";
  writeOutputs({
    ...(isPushed && { branch: branch.branch }),
    ...(pull && { "pr-number": String(pull.number), "pr-url": pull.url }),
  });
}

async function continueWhenOutOfTime(
  context: StepContext,
  session: { bundle: string; maxContinuations: number },
): Promise<void> {
  const { system, print } = context;
  const reading = await readJournal(system.files(session.bundle));
  if (reading.state?.end?.reason !== "checkpoint") return;
  const now = system.clock.now();
  const verdict = judgeContinuation(reading, { ...session, now });
  if (verdict.kind === "wait" && (await continuesBySchedule(context))) {
    const when = new Date(verdict.until).toISOString();
    const text = `The agent's usage limit resets at ${when}; the next scheduled run after that continues the session.`;
    print.command(workflowCommand("notice", text, { title: "ralph: waiting" }));
    return;
  }
  const { GITHUB_RUN_ID: runId = "", GITHUB_WORKFLOW_REF: workflowRef = "" } = system.env;
  const github = openGitHub(context);
  const { workflow, continuation } = await continueRun(
    { github, system },
    { ...session, runId, workflowRef },
  );
  print.line(
    `Started ${workflow} to continue the session (${counted(continuation, "continuation")}).`,
  );
}

/** A scheduled run of a task list looks for a waiting session first; an autopilot's does not. */
async function continuesBySchedule(context: StepContext): Promise<boolean> {
  const { system, inputs } = context;
  const { GITHUB_EVENT_NAME: event, GITHUB_WORKSPACE: workspace } = system.env;
  if (inputs.command === "autopilot" || !inputs["session-artifact"]) return false;
  if (event === "schedule") return true;
  const { workflow } = publishingJob(context);
  if (!workflow || !workspace) return false;
  const text = await system.files(workspace).read(`.github/workflows/${workflow}`);
  return /^ *["']?schedule["']?:/m.test(String(text ?? ""));
}
