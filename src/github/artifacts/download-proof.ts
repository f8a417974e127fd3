import type { System } from "../../platform/system.ts";
import type { GitHub } from "../api/create-github.ts";
import { downloadArtifact } from "./download-bundle.ts";
import { type HandedProof, proofFile, requireHandedProof } from "./handed-proof.ts";
import type { SessionArtifact } from "./session-artifact.ts";
import { readArchived } from "./unpack-bundle.ts";

/** Some thousand results; what is longer was not made by us. */
const maxBytes = 128 * 1024;

/**
 * What the clean room has left for a publisher that cannot read its outputs; exit 2 where that cannot be read. Whether it
 * speaks of the session at hand is for the publisher to compare.
 */
export async function downloadProof(
  deps: { github: GitHub; clock: Pick<System["clock"], "sleep"> },
  artifact: SessionArtifact,
): Promise<HandedProof> {
  const zip = await downloadArtifact(deps, artifact);
  const bytes = await readArchived({ zip, name: artifact.name }, { file: proofFile, maxBytes });
  return requireHandedProof(
    bytes?.toString("utf8").trim() ?? "",
    `${proofFile} of the artifact ${artifact.name}`,
  );
}
