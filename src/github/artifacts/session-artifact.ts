import type { RestEndpointMethodTypes } from "@octokit/rest";
import { RalphError } from "../../error.ts";
import type { GitHub } from "../api/create-github.ts";

/** The artifact to find: of the newest attempt, unless one is named. */
export interface ArtifactQuery {
  runId: string;
  attempt?: number;
  /** The workflow's suffix of the name, such as the position in a matrix. */
  suffix?: string;
}

/** An artifact that can be downloaded. */
export interface SessionArtifact {
  id: number;
  name: string;
  attempt: number;
  bytes: number;
  /** `sha256:…` of the archive, if GitHub reports it. */
  digest?: string;
}

/** Larger than any session (T45, T57). */
export const maxArtifactBytes = 512 * 1024 * 1024;

export type Artifact = RestEndpointMethodTypes["actions"]["getArtifact"]["response"]["data"];

/** Finds the session of a workflow run. The error lists the artifacts that exist instead. */
export async function findSessionArtifact(
  github: GitHub,
  wanted: ArtifactQuery,
): Promise<SessionArtifact> {
  if (!/^[1-9]\d{0,18}$/.test(wanted.runId)) {
    throw new RalphError("source", {
      message: `${JSON.stringify(wanted.runId)} is not the id of a workflow run.`,
      remedy: "Give the number in the run's address: `https://github.com/…/actions/runs/NUMBER`.",
    });
  }
  const all = await listArtifacts(github, wanted.runId);
  const chosen = chooseFrom(all, wanted);
  if (!chosen) throw noArtifact(wanted, all);
  return { ...chosen, ...requireUsable(chosen.artifact) };
}

/** The newest session a workflow run kept and GitHub still has; undefined without one. */
export async function newestSession(
  github: GitHub,
  wanted: ArtifactQuery,
): Promise<SessionArtifact | undefined> {
  const all = await listArtifacts(github, wanted.runId);
  const usable = all.filter(
    ({ expired, size_in_bytes }) => !expired && size_in_bytes <= maxArtifactBytes,
  );
  const chosen = chooseFrom(usable, wanted);
  return chosen && { ...chosen, ...requireUsable(chosen.artifact) };
}

/** Every artifact of a workflow run, of all its attempts. */
export async function listArtifacts(github: GitHub, runId: string): Promise<Artifact[]> {
  const act = `list the artifacts of workflow run ${runId}`;
  const all = { ...github.repo, run_id: Number(runId), per_page: 100 };
  const found = await github.ask(
    { act, permission: "actions: read", reason: "source" },
    ({ paginate, rest }) => paginate(rest.actions.listWorkflowRunArtifacts, all),
  );
  return found.filter(({ workflow_run: run }) => !run?.id || String(run.id) === runId);
}

type Candidate = { artifact: Artifact; attempt: number; suffix: string };

function chooseFrom(artifacts: readonly Artifact[], wanted: ArtifactQuery): Candidate | undefined {
  const named = artifacts.flatMap((artifact): Candidate[] => {
    const match = /^ralph-session-(\d+)-(\d{1,6})(?:-(.+))?$/.exec(artifact.name);
    if (match?.[1] !== wanted.runId) return [];
    return [{ artifact, attempt: Number(match[2]), suffix: match[3] ?? "" }];
  });
  const fitting = named.filter(
    ({ attempt, suffix }) =>
      attempt === (wanted.attempt ?? attempt) && suffix === (wanted.suffix ?? suffix),
  );
  const newest = Math.max(...fitting.map(({ attempt }) => attempt));
  const last = fitting.filter(({ attempt }) => attempt === newest);
  const suffixes = new Set(last.map(({ suffix }) => suffix));
  const suffix = suffixes.has("") || suffixes.size !== 1 ? "" : last[0]?.suffix;
  // When a name was uploaded twice, the last one counts.
  return last
    .filter((candidate) => candidate.suffix === suffix)
    .toSorted((one, other) => one.artifact.id - other.artifact.id)
    .at(-1);
}

function noArtifact(wanted: ArtifactQuery, artifacts: readonly Artifact[]): RalphError {
  const names = artifacts.map(({ name }) => name);
  const shown = names.length > 0 ? `It has: ${names.slice(0, 30).join(", ")}.` : "It has none.";
  const { runId, attempt, suffix } = wanted;
  const pattern = ["ralph-session", runId, attempt ?? "*", attempt && suffix];
  return new RalphError("source", {
    message: `Workflow run ${runId} has no artifact ${pattern.filter(Boolean).join("-")} to continue from, or several. ${shown}`,
    remedy: "Name a run whose job uploaded a session, with its attempt and suffix.",
  });
}

/** Refuses an artifact that has expired or is larger than any session. */
export function requireUsable(artifact: Artifact) {
  const { id, name, expires_at: end, size_in_bytes: bytes, digest } = artifact;
  if (artifact.expired) {
    throw new RalphError("source", {
      message: `The artifact ${name} expired${end ? ` on ${end}` : ""}; GitHub has deleted it.`,
      remedy:
        "Start a new session with `ralph run`; tasks that passed and were pushed stay passed.",
    });
  }
  if (bytes > maxArtifactBytes) {
    throw new RalphError("source", {
      message: `The artifact ${name} has ${bytes} bytes; at most ${maxArtifactBytes} are read.`,
      remedy: "Name a run whose artifact is a session.",
    });
  }
  return { id, name, bytes, ...(digest && { digest }) };
}
