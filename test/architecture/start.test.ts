import { readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { expect, test } from "vitest";

/** Everything that is loaded with a file, before anything is asked of it: its imports of values, and theirs. */
function loadedWith(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(file, "utf8");
  for (const [, target = ""] of text.matchAll(
    /^(?:im|ex)port (?!type\b)(?:[^;"()]* from )?"([^"]+)"/gm,
  )) {
    if (!target.startsWith(".")) found.add(target);
    else if (target.endsWith(".ts")) loadedWith(join(dirname(file), target), found);
  }
  return found;
}

const systemModules = ["node:crypto", "node:fs/promises", "src/platform/create-system.ts"];

test("help and version load neither the system nor its modules", () => {
  const loaded = loadedWith("src/cli/main.ts");
  expect(loaded).toContain("commander");
  expect(systemModules.filter((name) => loaded.has(name))).toEqual([]);
});

// As a module it brings Node's own fetch and WebSocket, a fifth of what a run loads.
test("a run without a cage and without services loads no HTTP", () => {
  const loaded = loadedWith("src/cli/working.ts");
  const run = loadedWith("src/cli/run/run.ts");
  expect([...loaded, ...run].filter((name) => /^node:https?$/.test(name))).toEqual([]);
  expect(run).toContain("src/entry/run-project.ts");
});
