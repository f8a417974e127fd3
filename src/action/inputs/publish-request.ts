import { requireBundledRun } from "../../autopilot/run/autopilot-run.ts";
import { type OriginFacts, originFactsOf, originOf } from "../../autopilot/run/run-origin.ts";
import { requireHandedProof } from "../../github/artifacts/handed-proof.ts";
import { acceptCounted } from "../../github/branches/count-branches.ts";
import type {
  PlanPublishRequest,
  PublishRequest,
} from "../../github/publication/publish-request.ts";
import type { Trust } from "../../github/verify/trusted-start.ts";
import { replayJournal } from "../../journal/journal.ts";
import { configFile } from "../../schema/config/config.ts";
import { locateProject } from "../../session/open/locate-project.ts";
import { workflowCommand } from "../../views/job/workflow-command.ts";
import type { StepContext } from "../step.ts";
import { openGitHub, publishingJob, remoteOf } from "./github-access.ts";
import { makeConfigFor } from "./make-config.ts";
import { directoryOf } from "./request.ts";

/** A bundle to publish; `own`: this job made it, on the machine of the agents. */
export interface Bundle {
  folder: string;
  own: boolean;
}

/** The request to publish a session. */
export async function publishRequestOf(
  context: StepContext,
  bundle: Bundle,
): Promise<PublishRequest> {
  const { inputs } = context;
  const origin = await readOrigin(context, bundle);
  return {
    ...publicationOf(context, bundle),
    github: pullClient(context, origin),
    staysDraft: inputs.draft,
    comments: inputs.comment,
    ...proofFor(context, bundle),
    acceptsInPlace: origin === undefined,
    origin,
    addressees: inputs,
    job: publishingJob(context),
  };
}

/** A job's own work counts as proved in place, whatever its environment says. */
function proofFor(
  { system: { env }, print }: StepContext,
  { own }: Bundle,
): Pick<PublishRequest, "proof" | "proved"> {
  if (own || env.RALPH_PROOF_LEVEL !== "clean-room") return { proof: "in_place" };
  const text = env.RALPH_PROOF?.trim();
  if (text) return { proof: "clean_room", proved: requireHandedProof(text, "RALPH_PROOF") };
  // GitHub drops outputs that contain a secret, so a correct workflow can end up here.
  print.command(workflowCommand("warning", missingProof, { title: "ralph: proved in place" }));
  return { proof: "in_place" };
}

const missingProof =
  "RALPH_PROOF_LEVEL is clean-room, but RALPH_PROOF is empty. The session is published as proved in place.";

/** The request to publish the document of an autopilot run that has no session yet. */
export async function planRequestOf(
  context: StepContext,
  bundle: Bundle,
): Promise<PlanPublishRequest> {
  const run = await requireBundledRun(context.system.files(bundle.folder));
  const origin = originFactsOf(run, bundle.folder);
  return { ...publicationOf(context, bundle), github: pullClient(context, origin), origin };
}

function publicationOf(context: StepContext, bundle: Bundle) {
  const { system, inputs, print } = context;
  return {
    bundle: bundle.folder,
    checkout: directoryOf(inputs, system.env),
    remote: remoteOf(context),
    trust: trustIn(context, bundle),
    log: print.line,
  };
}

/** Agents have changed the checkout of an own bundle, so only the commit the workflow started from is trusted. */
function trustIn(context: StepContext, { own }: Bundle): Trust {
  const { system, inputs } = context;
  return {
    acceptsBranch: (wanted, name) => acceptCounted(openGitHub(context), wanted, name),
    revisions: [own ? (system.env.GITHUB_SHA ?? "HEAD") : "HEAD"],
    config: inputs.config ?? configFile,
    makeConfig: makeConfigFor(system),
    ...(inputs["prd-json"] && { tasks: inputs["prd-json"] }),
    ...(inputs.branch && { branch: inputs.branch }),
    ...(inputs["base-branch"] && { baseBranch: inputs["base-branch"] }),
  };
}

/** The API to open a pull request with, unless the inputs or the run decline one. */
const pullClient = (context: StepContext, origin: OriginFacts | undefined) =>
  context.inputs["create-pr"] && origin?.wantsPull !== false ? openGitHub(context) : undefined;

/** The autopilot run of the session, if any; the publisher reports a broken bundle. */
async function readOrigin(context: StepContext, bundle: Bundle) {
  const { system, inputs } = context;
  const { folder } = bundle;
  const state = (await replayJournal(system.files(folder)))?.state;
  if (!state) return undefined;
  const place = await locateProject(system, directoryOf(inputs, system.env));
  return originOf(system, { place, bundle: folder, state, trust: trustIn(context, bundle) });
}
