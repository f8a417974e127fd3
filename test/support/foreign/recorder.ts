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
      const text = readIfThere(join(root, path));
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

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
