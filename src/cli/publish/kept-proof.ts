import type { HeadProof } from "../../core/checks/prove.ts";
import {
  type HandedProof,
  parseHandedProof,
  renderHandedProof,
} from "../../github/artifacts/handed-proof.ts";
import type { SessionStore } from "../../journal/session-store.ts";

/** Beside what the proof's commands printed; the next proof removes it. */
const file = "proof/proof.json";

/** Keeps what `ralph audit --prove` came to, for `ralph publish`. */
export async function keepProof({ files }: SessionStore, proof: HeadProof): Promise<void> {
  await files.write(file, `${renderHandedProof(proof)}\n`);
}

/**
 * What the last proof on this machine came to, when it was of this head. It is no clean room, so it makes nothing ready
 * that was not; but what it refuted stays a draft, and whether the merge with the base branch held is told.
 */
export async function readKeptProof(
  { files }: SessionStore,
  head: string,
): Promise<HandedProof | undefined> {
  const text = (await files.read(file))?.toString().trim();
  const proof = parseHandedProof(text);
  return proof?.head === head ? proof : undefined;
}
