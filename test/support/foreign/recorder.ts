import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A version of a file as another program finds it; without text the file is gone. */
export type Seen = { path: string; text: string | undefined };

const patterns = [
  ".omx/state/**/ralph-state.json",
  ".omc/ralph-*.json",
  ".claude/ralph/*.json",
  ".ralph/{failures,metrics}.json",
];

/** Keeps every version of the files of other tools that it meets, every few milliseconds until it is stopped. */
export function recordForeign(root: string): { stop: () => Seen[] } {
  const last = new Map<string, string>();
  const seen: Seen[] = [];
  const look = () => {
    const found = globSync(patterns, { cwd: root });
    for (const path of found) {
      const text = readStable(join(root, path));
      if (text === undefined || last.get(path) === text) continue;
      last.set(path, text);
      seen.push({ path, text });
    }
    for (const path of [...last.keys()].filter((path) => !found.includes(path))) {
      last.delete(path);
      seen.push({ path, text: undefined });
    }
  };
  const timer = setInterval(look, 3);
  return {
    stop: () => {
      clearInterval(timer);
      look();
      return seen;
    },
  };
}

/**
 * The text that two readings in a row agree on. A file that is its own lock is written in place: a reader without the lock
 * can learn its size before a write and read its bytes after it. The part of a file that a kill left stays.
 */
function readStable(path: string): string | undefined {
  const text = readIfThere(path);
  const again = readIfThere(path);
  return text === again ? again : readStable(path);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
