import { flaggedChanges } from "../../core/checks/flagged-changes.ts";
import { pathMatcher } from "../../core/checks/path-pattern.ts";
import type { FileSide, PatchFile } from "./patch.ts";

/** All a session changes, and which of it we write ourselves. */
export interface SessionChanges {
  files: readonly PatchFile[];
  /** Paths below the project root; all of `.ralph` is ours as well. */
  own: readonly string[];
}

type JunkKind = { name: string; is: (file: PatchFile, outcome: SessionChanges) => boolean };

/** What no person reviews for its own sake. A file that is none of it is worth a pull request. */
const junkKinds: readonly JunkKind[] = [
  {
    name: "bookkeeping",
    is: ({ path }, { own }) => path.startsWith(".ralph/") || own.includes(path),
  },
  { name: "lockfiles", is: isLockfile },
  { name: "logs", is: ({ path }) => isLog(path) },
  { name: "generated files", is: isGenerated },
  { name: "empty files", is: ({ before, after }) => !before && isBlank(after) },
  { name: "whitespace", is: isWhitespace },
];

const shownPaths = 3;

/** Why nobody wants a pull request with that outcome; undefined: somebody may. In doubt somebody does. Pure. */
export function lowValueReason(outcome: SessionChanges): string | undefined {
  const { files } = outcome;
  if (files.length === 0) return "nothing differs from the start commit";
  const kinds = files.map((file) => junkKinds.find(({ is }) => is(file, outcome))?.name);
  if (kinds.includes(undefined)) return undefined;
  const groups = Map.groupBy(files, (_, index) => kinds[index]);
  const words = [...groups].map(([name, found]) => `${name} (${listOf(found)})`);
  return `only ${words.join(", ")} changed`;
}

function listOf(files: readonly PatchFile[]): string {
  const names = files.slice(0, shownPaths).map(({ path }) => path);
  const rest = files.length - names.length;
  return [...names, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

/** Without its manifest a lockfile only follows what registries offer that day. */
function isLockfile({ path }: PatchFile): boolean {
  const [flag] = flaggedChanges([{ status: "M", path }], { testPaths: [], gateCommands: [] });
  return flag?.because === "lockfile";
}

const isLog = pathMatcher(["**/*.log", "**/*.log.*", "**/{npm,yarn,pnpm}-debug.log*", "logs/**"]);

const isOutput = pathMatcher([
  "**/{node_modules,__pycache__,.pytest_cache,coverage,.nyc_output}/**",
  "dist/**",
  "**/*.{pyc,pyo,tsbuildinfo}",
  "**/*.min.{js,css}",
  "**/*.{js,css}.map",
]);

/** By its place, or because it says so itself where generators say it: at the top. */
function isGenerated({ path, before, after }: PatchFile): boolean {
  const top = (after ?? before)?.content?.subarray(0, 1000).toString() ?? "";
  return isOutput(path) || /@generated\b|\bgenerated\b[^\n]{0,80}\bdo not edit\b/i.test(top);
}

const isBlank = (side: FileSide | undefined) => side?.content?.toString().trim() === "";

/** Line ends, trailing blanks and empty lines only: what stands before a line has a meaning in many languages. */
function isWhitespace({ before, after }: PatchFile): boolean {
  if (!before?.content || !after?.content || before.mode !== after.mode) return false;
  return squeezed(before.content) === squeezed(after.content);
}

function squeezed(content: Buffer): string {
  const lines = content.toString("latin1").split(/\r?\n/);
  return lines
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .join("\n");
}
