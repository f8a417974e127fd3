import { isUtf8 } from "node:buffer";
import type { SessionState } from "../../core/state/session-state.ts";
import type { SpliceView } from "../view.ts";

/**
 * The new text of a document, or undefined when it stays as it is. A file that is no UTF-8 is left alone:
 * writing it back as text would change bytes that are not ours.
 */
export function spliceDocument(
  surface: SpliceView,
  content: Uint8Array | undefined,
  state: SessionState,
): string | undefined {
  if (content && !isUtf8(content)) return undefined;
  // `Buffer` keeps a byte order mark, which `TextDecoder` would drop.
  const text = content && Buffer.from(content).toString("utf8");
  const next = surface.splice(text, state);
  return next === text ? undefined : next;
}
