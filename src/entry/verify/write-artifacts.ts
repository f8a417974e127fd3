import type { EvidenceRef } from "../../core/state/measurement.ts";
import type { OwnFiles } from "../../platform/fs/own-files.ts";
import type { SessionArtifactFile } from "../../views/session-files/artifacts.ts";

/** Writes artifacts into the session directory, one after the other; a file that cannot be written is left out. */
export async function writeArtifacts(
  files: OwnFiles,
  artifacts: readonly SessionArtifactFile[],
  readBytes: (ref: EvidenceRef) => Promise<Buffer>,
): Promise<void> {
  for (const { path, content } of artifacts) {
    if (content === undefined) await files.remove(path);
    else await files.write(path, typeof content === "string" ? content : await readBytes(content));
  }
}
