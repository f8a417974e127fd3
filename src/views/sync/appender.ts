import type { RunEvent } from "../../core/state/event.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import type { AppendView, ReadEvidence } from "../view.ts";
import type { ViewFiles } from "./view-writer.ts";

/** Text kept in memory before it is written, UTF-16 units: long sessions replay in bounded memory. */
const maxPending = 1024 * 1024;

interface Appender {
  take: (event: RunEvent, state: SessionState) => Promise<void>;
  flush: () => Promise<void>;
}

/** Writes the files that only grow. The first text of a path replaces what an earlier process wrote. */
export function createAppender(
  files: ViewFiles,
  { views, evidence }: { views: readonly AppendView[]; evidence: ReadEvidence },
): Appender {
  const begun = new Set<string>();
  const pending = new Map<string, string[]>();
  let size = 0;
  const flush = async () => {
    for (const [path, texts] of pending) {
      const text = texts.join("");
      await (begun.has(path) ? appendText(files, path, text) : files.write(path, text));
      begun.add(path);
    }
    pending.clear();
    size = 0;
  };
  return {
    flush,
    take: async (event, state) => {
      for (const view of views) {
        const added = await view.append(event, state, evidence);
        if (!added) continue;
        const texts = pending.get(added.path) ?? [];
        texts.push(added.text);
        pending.set(added.path, texts);
        size += added.text.length;
      }
      if (size > maxPending) await flush();
    },
  };
}

async function appendText(files: ViewFiles, path: string, text: string): Promise<void> {
  await using file = await files.openAppend(path);
  await file.append(text);
}
