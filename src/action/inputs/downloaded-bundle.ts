import { RalphError } from "../../error.ts";
import { journalFile } from "../../journal/journal.ts";
import type { Environment, System } from "../../platform/system.ts";
import { planFile } from "../../session/bundle/bundled-objects.ts";
import type { Inputs } from "./inputs.ts";

/** The folder the earlier steps download artifacts to, one folder for each. */
export const downloadFolder = ({ RUNNER_TEMP }: Environment) =>
  `${RUNNER_TEMP || "/tmp"}/ralph-sessions`;

/**
 * The folder of the downloaded session; after a re-run of the job, that of the newest attempt. With `artifact-suffix` only
 * this caller's sessions count.
 */
export async function downloadedBundle(
  { files, env }: Pick<System, "files" | "env">,
  { "artifact-suffix": suffix }: Pick<Inputs, "artifact-suffix">,
): Promise<string> {
  const folder = downloadFolder(env);
  // A single artifact has no folder of its own.
  for (const file of [journalFile, planFile]) if (await files(folder).stat(file)) return folder;
  const attempts = (await files(folder).list("."))
    .filter((name) => {
      const match = ownName.exec(name);
      return match !== null && match[2] === suffix;
    })
    .toSorted((a, b) => attemptOf(a) - attemptOf(b));
  const newest = attempts.at(-1);
  if (newest !== undefined) return `${folder}/${newest}`;
  throw new RalphError("source", {
    message: "This workflow run has no session among its artifacts.",
    remedy:
      "Let the job that works through the tasks keep its session (session-artifact: true), and start this job after it.",
  });
}

const ownName = /^ralph-session-\d+-(\d+)(?:-(.+))?$/;
const attemptOf = (name: string) => Number(ownName.exec(name)?.[1] ?? 0);
