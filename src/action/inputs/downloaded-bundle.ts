import { RalphError } from "../../error.ts";
import { journalFile } from "../../journal/journal.ts";
import type { Environment, System } from "../../platform/system.ts";
import { planFile } from "../../session/bundle/bundled-plan.ts";

/** Where the steps before this one put what they fetched: one folder for each artifact. */
export const downloadFolder = ({ RUNNER_TEMP }: Environment) =>
  `${RUNNER_TEMP || "/tmp"}/ralph-sessions`;

/** The folder of the fetched session: that of the newest attempt, when a job was run again. */
export async function downloadedBundle({
  files,
  env,
}: Pick<System, "files" | "env">): Promise<string> {
  const folder = downloadFolder(env);
  // A single artifact is put there without a folder of its own.
  for (const file of [journalFile, planFile]) if (await files(folder).stat(file)) return folder;
  const attempts = (await files(folder).list("."))
    .filter((name) => /^ralph-session-\d+-\d+$/.test(name))
    .toSorted((a, b) => attemptOf(a) - attemptOf(b));
  const newest = attempts.at(-1);
  if (newest !== undefined) return `${folder}/${newest}`;
  throw new RalphError("source", {
    message: "No session was found among the artifacts of this workflow run.",
    remedy:
      "Let the job that works through the tasks keep its session (session-artifact: true), and start this job after it.",
  });
}

const attemptOf = (name: string) => Number(/-(\d+)$/.exec(name)?.[1] ?? 0);
