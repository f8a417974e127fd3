import { createGitHubReader } from "../../autopilot/reports/github-reader.ts";
import type { GitHub } from "../../github/api/create-github.ts";
import { downloadBundle } from "../../github/artifacts/download-bundle.ts";
import { findSessionArtifact } from "../../github/artifacts/session-artifact.ts";
import { requireWriter, startRuleOf } from "../../github/claims/require-writer.ts";
import { issueToRead } from "../../schema/work-request.ts";
import { requireUnedited } from "../checks/checks.ts";
import { downloadFolder } from "../inputs/downloaded-bundle.ts";
import { openGitHub, startedBy } from "../inputs/github-access.ts";
import { readRequest } from "../inputs/read-request.ts";
import { fetchSteering } from "../inputs/steering-comments.ts";
import { writeHandoff } from "../inputs/step-handoff.ts";
import type { StepContext } from "../step.ts";

/** Reads what the run step needs, which has no token: the session to continue, steering comments, and facts for an autopilot. */
export async function downloadStep(context: StepContext): Promise<number> {
  const { inputs } = context;
  const github = openGitHub(context);
  if (inputs.command === "autopilot") await fetchFacts(context, github);
  await fetchSteering(context, github);
  if (inputs["resume-from"]) await fetchSession(context, { github, runId: inputs["resume-from"] });
  return 0;
}

async function fetchSession(
  { system, inputs, print }: StepContext,
  { github, runId }: { github: GitHub; runId: string },
): Promise<void> {
  const suffix = inputs["artifact-suffix"];
  const artifact = await findSessionArtifact(github, { runId, ...(suffix && { suffix }) });
  const folder = `${downloadFolder(system.env)}/${artifact.name}`;
  await downloadBundle({ github, system }, { artifact, folder });
  print.line(`Continuing ${artifact.name} (${Math.ceil(artifact.bytes / 1024)} KiB).`);
}

/** Reads the facts for an autopilot; a continuation keeps its own report. */
async function fetchFacts({ system, inputs }: StepContext, github: GitHub): Promise<void> {
  const starters = startedBy(system);
  // In a job without a claim, no step has checked yet whether they may start agents (T27).
  if (startRuleOf(starters.event) === "ask") await requireWriter(github, starters);
  const { RALPH_PUBLISHER: publisher, GITHUB_ACTOR: login } = system.env;
  // The App publishes the runs it starts, and is their actor.
  const author = publisher === "app" && login ? { login } : undefined;
  const outside = createGitHubReader(github, author);
  const pulls = [...(await outside.pulls())];
  if (inputs["resume-from"] !== undefined) return writeHandoff(system, "facts.json", { pulls });
  const request = await readRequest(github, { inputs, env: system.env });
  const number = issueToRead(request);
  const issue = number === undefined ? undefined : await outside.issue(number);
  if (issue) await requireUnedited(system, issue, request.textDigest);
  await writeHandoff(system, "facts.json", { pulls, request, ...(issue && { issue }) });
}
