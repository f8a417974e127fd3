import { continueRun } from "../github/continue-run.ts";
import { publishSession } from "../github/publish-session.ts";
import type { SessionWish } from "../github/session-wish.ts";
import { replayJournal } from "../journal/journal.ts";
import { counted } from "../run/counted.ts";
import { workflowCommand } from "../surfaces/views/workflow-command.ts";
import { downloadedBundle } from "./downloaded-bundle.ts";
import { openGitHub, publishingJob, remoteOf } from "./github-access.ts";
import { makeConfigFor } from "./make-config.ts";
import { writeOutputs } from "./outputs.ts";
import { directoryOf } from "./request.ts";
import { requireDigest } from "./require-digest.ts";
import type { StepContext } from "./step.ts";

/**
 * The only step that may write: pushes the session's branch, opens its pull request, and lets a session out of time go
 * on in another run.
 */
export async function publishStep(context: StepContext): Promise<number> {
  const { system, print } = context;
  const own = system.env.RALPH_BUNDLE;
  const bundle = own || (await downloadedBundle(system));
  await requireDigest(system, bundle);
  const { branch, pull } = await publishSession(system, wishOf(context, { bundle, own }));
  writeOutputs({
    ...(branch && { branch: branch.branch }),
    ...(pull && { "pr-number": String(pull.number), "pr-url": pull.url }),
  });
  for (const { path, message } of branch?.flagged ?? []) {
    print.command(workflowCommand("notice", message, { file: path, title: "ralph: look at this" }));
  }
  if (branch) {
    const maxContinuations = branch.config.limits.max_continuations;
    await continueWhenOutOfTime(context, { bundle, maxContinuations });
  }
  return 0;
}

function wishOf(
  context: StepContext,
  { bundle, own }: { bundle: string; own: string | undefined },
): SessionWish {
  const { system, inputs, print } = context;
  const { env } = system;
  return {
    bundle,
    checkout: directoryOf(inputs, env),
    remote: remoteOf(context),
    trust: {
      // Agents have worked in this checkout when the bundle is this job's own: then only the commit it was made of counts.
      revisions: [own ? (env.GITHUB_SHA ?? "HEAD") : "HEAD"],
      config: inputs.config ?? ".ralph/ralph.yml",
      makeConfig: makeConfigFor(system),
      ...(inputs["prd-json"] && { tasks: inputs["prd-json"] }),
    },
    github: inputs["create-pr"] ? openGitHub(context) : undefined,
    staysDraft: inputs.draft,
    comments: inputs.comment,
    // Of its own work a job can only say that it was proved in place, whatever its environment holds.
    proof: !own && env.RALPH_PROOF_LEVEL === "clean-room" ? "clean_room" : "in_place",
    acceptsInPlace: true,
    job: publishingJob(context),
    tell: print.line,
  };
}

async function continueWhenOutOfTime(
  context: StepContext,
  session: { bundle: string; maxContinuations: number },
): Promise<void> {
  const { system, print } = context;
  const replay = await replayJournal(system.files(session.bundle));
  if (replay?.run.end?.reason !== "checkpoint") return;
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
