import type { Role } from "../state/event.ts";
import { type ChangedPath, type Protection, protectedChanges } from "./protection.ts";
import { trespasses } from "./test-paths.ts";

type Rules = { role: Role; protection: Protection; testPaths: readonly string[] };

/**
 * What of an agent's changes is put back (design 4.2, 5): what nobody may change, what a role that only reads
 * changed, and, told apart because it fails the iteration, what the test writer changed beside tests.
 */
export function judgeChanges(
  changes: readonly ChangedPath[],
  { role, protection, testPaths }: Rules,
): { refused: string[]; trespassed: string[] } {
  const refused = protectedChanges(changes, protection);
  const isRefused = new Set(refused);
  const free = changes.filter(({ path }) => !isRefused.has(path));
  if (role === "test_writing") return { refused, trespassed: trespasses(free, testPaths) };
  const isReader = role === "review" || role === "planning";
  return { refused: isReader ? changes.map(({ path }) => path) : refused, trespassed: [] };
}
