import type { GitHub } from "../../src/github/api/create-github.ts";
import {
  type Artifact,
  listArtifacts,
  requireUsable,
  type SessionArtifact,
} from "../../src/github/artifacts/session-artifact.ts";

/** The artifacts of a workflow run, as far as there are any. */
export interface RunArtifacts {
  session: SessionArtifact | undefined;
  proof: SessionArtifact | undefined;
}

/**
 * The session of a workflow run and the findings of its clean room. If only some jobs were rerun, an artifact of an
 * earlier attempt counts, but never one of a later attempt.
 */
export async function findArtifacts(
  github: GitHub,
  { run, attempt }: { run: number; attempt: number },
): Promise<RunArtifacts> {
  const all = await listArtifacts(github, String(run));
  const newest = (kind: string) => chooseArtifact(all, { name: `ralph-${kind}-${run}`, attempt });
  return { session: newest("session"), proof: newest("proof") };
}

/** The newest artifact of a name up to an attempt; an expired or too large one is refused (exit 2). */
export function chooseArtifact(
  artifacts: readonly Artifact[],
  { name, attempt: last }: { name: string; attempt: number },
): SessionArtifact | undefined {
  const named = artifacts.flatMap((artifact) => {
    const end = artifact.name.startsWith(`${name}-`) ? artifact.name.slice(name.length + 1) : "";
    const attempt = /^[1-9]\d{0,5}$/.test(end) ? Number(end) : 0;
    return attempt > 0 && attempt <= last ? [{ artifact, attempt }] : [];
  });
  // Of two artifacts with one name the newer one counts.
  const chosen = named
    .toSorted((a, b) => a.attempt - b.attempt || a.artifact.id - b.artifact.id)
    .at(-1);
  return chosen && { attempt: chosen.attempt, ...requireUsable(chosen.artifact) };
}
