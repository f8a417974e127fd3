import { setOutput } from "@actions/core";
import { continueRun } from "../github/continue-run.ts";
import { publishBranch } from "../github/publish-branch.ts";
import { replayJournal } from "../journal/journal.ts";
import { counted } from "../run/counted.ts";
import { workflowCommand } from "../surfaces/views/workflow-command.ts";
import { downloadedBundle } from "./downloaded-bundle.ts";
import { openGitHub, remoteOf } from "./github-access.ts";
import { makeConfigFor } from "./make-config.ts";
import { directoryOf } from "./request.ts";
import { requireDigest } from "./require-digest.ts";
import type { StepContext } from "./step.ts";

/** The only step that may write: pushes the session's branch, and lets a session out of time go on in another run. */
export async function publishStep(context: StepContext): Promise<number> {
  const { system, inputs, print } = context;
  const { env } = system;
  // Agents have worked in this checkout when the bundle is this job's own: then only the commit it was made of counts.
  const own = env.RALPH_BUNDLE;
  const bundle = own || (await downloadedBundle(system));
  await requireDigest(system, bundle);
  const { branch, commit, kind, flagged, config } = await publishBranch(system, {
    bundle,
    checkout: directoryOf(inputs, env),
    remote: remoteOf(context),
    trust: {
      revisions: [own ? (env.GITHUB_SHA ?? "HEAD") : "HEAD"],
      config: inputs.config ?? ".ralph/ralph.yml",
      makeConfig: makeConfigFor(system),
      ...(inputs["prd-json"] && { tasks: inputs["prd-json"] }),
    },
  });
  setOutput("branch", branch);
  print.line(said[kind](branch, commit.slice(0, 12)));
  for (const { path, message } of flagged) {
    print.command(workflowCommand("notice", message, { file: path, title: "ralph: look at this" }));
  }
  await continueWhenOutOfTime(context, {
    bundle,
    maxContinuations: config.limits.max_continuations,
  });
  return 0;
}

const said = {
  pushed: (branch: string, commit: string) => `Pushed ${branch}, now at ${commit}.`,
  "up-to-date": (branch: string, commit: string) => `${branch} is at ${commit} already.`,
  empty: () => "No task has passed, so there is nothing to push.",
};

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
