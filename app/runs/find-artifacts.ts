import type { GitHub } from "../../src/github/api/create-github.ts";
import {
  type Artifact,
  listArtifacts,
  requireUsable,
  type SessionArtifact,
} from "../../src/github/artifacts/session-artifact.ts";

/** What a workflow run has left for us; `session: undefined`: nothing. */
export interface RunArtifacts {
  session: SessionArtifact | undefined;
  proof: SessionArtifact | undefined;
}

/**
 * The session of a workflow run and what its clean room says of it. Where only a part of the jobs was run again, an artifact
 * is that of the attempt before; one of a later attempt is never taken.
 */
export async function findArtifacts(
  github: GitHub,
  { run, attempt }: { run: number; attempt: number },
): Promise<RunArtifacts> {
  const all = await listArtifacts(github, String(run));
  const newest = (kind: string) => chooseArtifact(all, { name: `ralph-${kind}-${run}`, attempt });
  return { session: newest("session"), proof: newest("proof") };
}

/** The newest one of a name up to an attempt; one that has expired or is too large is refused (exit 2). */
export function chooseArtifact(
  artifacts: readonly Artifact[],
  { name, attempt: last }: { name: string; attempt: number },
): SessionArtifact | undefined {
  const named = artifacts.flatMap((artifact) => {
    const end = artifact.name.startsWith(`${name}-`) ? artifact.name.slice(name.length + 1) : "";
    const attempt = /^[1-9]\d{0,5}$/.test(end) ? Number(end) : 0;
    return attempt > 0 && attempt <= last ? [{ artifact, attempt }] : [];
  });
  // A name that was overwritten belongs to the artifact that came last.
  const chosen = named
    .toSorted((a, b) => a.attempt - b.attempt || a.artifact.id - b.artifact.id)
    .at(-1);
  return chosen && { attempt: chosen.attempt, ...requireUsable(chosen.artifact) };
}
