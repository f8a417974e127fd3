import { readAgent, readProgress, readQueue, readRetries } from "./read-claude-ralph.ts";
import { readOmcState, readVerification } from "./read-omc.ts";
import { readOmxState } from "./read-omx.ts";
import { readFailures, readMetrics } from "./read-team.ts";
import type { Seen } from "./recorder.ts";

export type Json = Record<string, unknown>;

/** What a reader has seen before: the version of this file, and the newest of every other. */
export interface Before {
  same: Json | undefined;
  newest: ReadonlyMap<string, Json>;
  path: string;
}

/** Shapes, types, words and transitions that one version of a file breaks. Written from the specifications alone. */
export type Reader = (now: Json, before: Before) => string[];

const readers: readonly [RegExp, Reader][] = [
  [/^\.omx\/.*ralph-state\.json$/, readOmxState],
  [/^\.omc\/ralph-state\.json$/, readOmcState],
  [/^\.omc\/ralph-verification\.json$/, readVerification],
  [/task-queue-.*\.json$/, readQueue],
  [/retry-queue-.*\.json$/, readRetries],
  [/progress-.*\.json$/, readProgress],
  [/agent-state-.*\.json$/, readAgent],
  [/failures\.json$/, readFailures],
  [/metrics\.json$/, readMetrics],
];

/** Everything that is wrong in a recording, in words. */
export function findingsIn(seen: readonly Seen[]): string[] {
  const last = new Map<string, Json>();
  const newest = new Map<string, Json>();
  return seen.flatMap(({ path, text }) => {
    const reader = readers.find(([pattern]) => pattern.test(path))?.[1];
    if (!reader) return [];
    if (text === undefined) {
      last.delete(path);
      return [];
    }
    // A file that is its own lock is empty until its first content.
    if (text === "" && /failures|metrics/.test(path)) return [];
    const now = parse(text);
    if (!now) return [`${path}: is not a JSON object`];
    const findings = reader(now, { same: last.get(path), newest, path });
    last.set(path, now);
    newest.set(path, now);
    return findings.map((finding) => `${path}: ${finding}`);
  });
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
