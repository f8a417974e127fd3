import type { EvidenceRef } from "../core/state/measurement.ts";
import type { SessionState } from "../core/state/session-state.ts";
import { readEvidenceBytes } from "../journal/evidence.ts";
import type { Files } from "../platform/system.ts";
import { shownPictures } from "../views/html/pictures.ts";
import type { Pictures } from "../views/html/report-model.ts";

/** A report with its pictures fits into a mail. */
const maxBytes = 800 * 1024;

/** The pictures of a session's report, as many as fit, from its evidence in the store or in a bundle. */
export async function readPictures(files: Files, state: SessionState): Promise<Pictures> {
  const pictures = new Map<string, Buffer>();
  let room = maxBytes;
  for (const ref of shownPictures(state)) {
    if (pictures.has(ref.sha256) || ref.bytes > room) continue;
    const content = await readIfSound(files, ref);
    if (!content) continue;
    room -= content.byteLength;
    pictures.set(ref.sha256, content);
  }
  return pictures;
}

/** A report without a picture is better than none; `ralph audit` names evidence that is missing or changed. */
async function readIfSound(files: Files, ref: EvidenceRef): Promise<Buffer | undefined> {
  try {
    return await readEvidenceBytes(files, ref);
  } catch {
    return undefined;
  }
}
