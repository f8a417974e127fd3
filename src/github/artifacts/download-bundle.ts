import { createHash } from "node:crypto";
import { RalphError } from "../../error.ts";
import type { System } from "../../platform/system.ts";
import type { GitHub } from "../api/create-github.ts";
import { isSafeUrl } from "../api/remote-url.ts";
import { type HandedProof, proofFile, requireHandedProof } from "./handed-proof.ts";
import { maxArtifactBytes, type SessionArtifact } from "./session-artifact.ts";
import { readArchived, unpackBundle } from "./unpack-bundle.ts";

const tries = 3;
const pauseMs = 2000;
const downloadMs = 10 * 60_000;

/**
 * Downloads a session's artifact and unpacks it into `folder`, which must be empty or absent. Only the fixed names of a
 * bundle are accepted, within limits (T57). The content is not verified here.
 */
export async function downloadBundle(
  { github, system }: { github: GitHub; system: Pick<System, "files" | "clock"> },
  { artifact, folder }: { artifact: SessionArtifact; folder: string },
): Promise<void> {
  const zip = await downloadArtifact({ github, clock: system.clock }, artifact);
  await unpackBundle(system, { zip, folder, name: artifact.name });
}

type DownloadDeps = { github: GitHub; clock: Pick<System["clock"], "sleep"> };

/** Downloads an artifact and checks it against the digest GitHub recorded. */
export async function downloadArtifact(
  deps: DownloadDeps,
  artifact: SessionArtifact,
): Promise<Buffer> {
  const zip = await download(deps, artifact);
  const digest = `sha256:${createHash("sha256").update(zip).digest("hex")}`;
  if (!artifact.digest?.startsWith("sha256:") || artifact.digest === digest) return zip;
  throw refused(artifact, `its content is ${digest}, but GitHub recorded ${artifact.digest}`);
}

/** Enough for thousands of results. */
const maxProofBytes = 128 * 1024;

/**
 * Downloads the clean room's result for a publisher that cannot read its outputs; exit 2 if it is unreadable. The
 * publisher compares it with the session.
 */
export async function downloadProof(
  deps: DownloadDeps,
  artifact: SessionArtifact,
): Promise<HandedProof> {
  const zip = await downloadArtifact(deps, artifact);
  const { name } = artifact;
  const bytes = await readArchived({ zip, name }, { file: proofFile, maxBytes: maxProofBytes });
  const text = bytes?.toString("utf8").trim() ?? "";
  return requireHandedProof(text, `${proofFile} of the artifact ${name}`);
}

/** An address from GitHub is valid for a minute, so each try asks for a new one. */
async function download(
  { github, clock }: DownloadDeps,
  artifact: SessionArtifact,
): Promise<Buffer> {
  for (let attempt = 1; ; attempt++) {
    const address = await locate(github, artifact);
    try {
      return await fetchAll(address, artifact);
    } catch (cause) {
      if (cause instanceof RalphError) throw cause;
      if (attempt < tries) {
        await clock.sleep(pauseMs * attempt);
        continue;
      }
      throw new RalphError("source", {
        message: `The artifact ${artifact.name} could not be downloaded: ${cause instanceof Error ? cause.message : cause}.`,
        remedy:
          "Try again later, or download it by hand and pass its folder to `ralph run --resume`.",
        cause,
      });
    }
  }
}

async function locate(github: GitHub, { id, name }: SessionArtifact): Promise<string> {
  const act = `download the artifact ${name}`;
  const purpose = { act, permission: "actions: read", reason: "source" } as const;
  const request = { redirect: "manual" } as const;
  const wanted = { ...github.repo, artifact_id: id, archive_format: "zip", request };
  let answer: Redirect = await github.ask(purpose, ({ rest }) =>
    rest.actions.downloadArtifact(wanted),
  );
  const url = movedTo(github, answer);
  if (url !== undefined) {
    answer = await github.ask(purpose, (octokit) =>
      octokit.request({ method: "GET", url, request }),
    );
  }
  const { status, headers } = answer;
  const address = headers.location ?? "";
  if (status === 302 && isSafeUrl(address)) return address;
  throw new RalphError("source", {
    message: `GitHub returned no address for the artifact ${name} (status ${status}).`,
    remedy: "Try again later; https://www.githubstatus.com reports outages.",
  });
}

type Redirect = { status: number; headers: { location?: string | undefined } };

/** A renamed repository redirects to its address on the same server. */
function movedTo({ apiUrl }: GitHub, { status, headers }: Redirect): string | undefined {
  const { location = "" } = headers;
  const isMoved = [301, 307, 308].includes(status) && URL.canParse(location);
  return isMoved && new URL(location).origin === new URL(apiUrl).origin ? location : undefined;
}

/** The storage receives no token: the address itself is the permission. */
async function fetchAll(address: string, artifact: SessionArtifact): Promise<Buffer> {
  const answer = await fetch(address, {
    redirect: "error",
    signal: AbortSignal.timeout(downloadMs),
  });
  if (!answer.ok || !answer.body) throw new Error(`the storage answered ${answer.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body) {
    bytes += chunk.byteLength;
    if (bytes > maxArtifactBytes) throw refused(artifact, "it is larger than GitHub said");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function refused({ name }: SessionArtifact, because: string): RalphError {
  return new RalphError("source", {
    message: `The artifact ${name} was refused: ${because}.`,
    remedy: "Start a new session with `ralph run`.",
  });
}
