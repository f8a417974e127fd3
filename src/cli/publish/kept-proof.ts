import type { HeadProof } from "../../core/checks/prove.ts";
import {
  type HandedProof,
  parseHandedProof,
  renderHandedProof,
} from "../../github/artifacts/handed-proof.ts";
import type { SessionStore } from "../../journal/session-store.ts";

/** Beside the output of the proof's commands; the next proof removes it. */
const file = "proof/proof.json";

/** Stores the result of `ralph audit --prove` for `ralph publish`. */
export async function keepProof({ files }: SessionStore, proof: HeadProof): Promise<void> {
  await files.write(file, `${renderHandedProof(proof)}\n`);
}

/**
 * The result of the last proof on this machine, if it was for this head. It is not a clean room, so it never makes a
 * pull request ready; a refuted head stays a draft, and the pull request shows the result of the merge.
 */
export async function readKeptProof(
  { files }: SessionStore,
  head: string,
): Promise<HandedProof | undefined> {
  const text = (await files.read(file))?.toString().trim();
  const proof = parseHandedProof(text);
  return proof?.head === head ? proof : undefined;
}
