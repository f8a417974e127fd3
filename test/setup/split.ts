import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";

/** Modules and packages that start a process, a thread or a server. */
const starters =
  /^(?:node:(?:child_process|cluster|https?|net|worker_threads)|esbuild|execa|pg-boss|probot)$/;

/** Imports that stay when types are stripped. */
const imported =
  /^(?:import|export)\s(?!type\s)(?:[^";]*?from\s)?"([^"]+)"|(?<![.\w])import\("([^"]+)"\)/gm;

/**
 * Test files by project. A test whose imports, followed to their ends, reach nothing that starts a process, a thread
 * or a server is a unit test: it cannot start any. All others are system tests. Paths are relative to `root`.
 */
export function splitTests(
  root: string,
  files: readonly string[],
): { unit: string[]; system: string[] } {
  const targets = new Map<string, string[]>();
  const targetsOf = (file: string) => {
    const known = targets.get(file) ?? readTargets(root, file);
    targets.set(file, known);
    return known;
  };
  const { unit = [], system = [] } = Object.groupBy(files, (file) =>
    startsNothing(file, targetsOf) ? "unit" : "system",
  );
  return { unit, system };
}

/** Whether nothing that `file` imports, directly or not, is a starter. */
function startsNothing(file: string, targetsOf: (file: string) => string[]): boolean {
  const seen = new Set([file]);
  for (const each of seen) {
    for (const target of targetsOf(each)) {
      if (starters.test(target)) return false;
      if (target.endsWith(".ts")) seen.add(target);
    }
  }
  return true;
}

function readTargets(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(imported)].map(([, fixed, dynamic]) => {
    const target = fixed ?? dynamic ?? "";
    return target.startsWith(".") ? join(dirname(file), target) : target;
  });
}

/** All test files below `test/`, but for those in the folders of projects that run only when asked for. */
export function testFiles(root: string, except: readonly string[]): string[] {
  return globSync("test/**/*.test.ts", { cwd: root, exclude: [...except] }).toSorted();
}
