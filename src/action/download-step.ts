import { downloadBundle } from "../github/download-bundle.ts";
import { findSessionArtifact } from "../github/session-artifact.ts";
import { downloadFolder } from "./downloaded-bundle.ts";
import { openGitHub } from "./github-access.ts";
import type { StepContext } from "./step.ts";

/** Fetches the session of another run, so that the run step, which has no token, can go on with it. */
export async function downloadStep(context: StepContext): Promise<number> {
  const { system, inputs, print } = context;
  const github = openGitHub(context);
  const artifact = await findSessionArtifact(github, { runId: inputs["resume-from"] ?? "" });
  const folder = `${downloadFolder(system.env)}/${artifact.name}`;
  await downloadBundle({ github, system }, { artifact, folder });
  print.line(`Going on with ${artifact.name} (${Math.ceil(artifact.bytes / 1024)} KiB).`);
  return 0;
}
