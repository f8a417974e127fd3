import { flaggedChanges } from "../../core/checks/flagged-changes.ts";
import { pathMatcher } from "../../core/checks/path-pattern.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { type PatchFile, readChanges } from "./patch.ts";
import type { TrustedStart } from "./trusted-start.ts";

/** All changes of a session, and the paths ralph writes itself. */
export interface SessionChanges {
  files: readonly PatchFile[];
  /** Paths below the project root, besides everything in `.ralph`. */
  own: readonly string[];
}

/** Changes that no one reviews for their own sake. Any other file is worth a pull request. */
const lowValueKinds: Record<string, (file: PatchFile, changes: SessionChanges) => boolean> = {
  bookkeeping: ({ path }, { own }) => path.startsWith(".ralph/") || own.includes(path),
  lockfiles: isLockfile,
  logs: ({ path }) => isLog(path),
  "generated files": isGenerated,
  "empty files": ({ before, after }) => !before && after?.content?.toString().trim() === "",
  whitespace: isWhitespace,
};

const shownPaths = 3;

/** Larger files are not read, and count as worth a review. */
const maxFileBytes = 4 * 1024 * 1024;

/** Why no reviewer would want all the commits of a session together; undefined: they are worth a pull request. */
export async function readLowValueReason(
  repo: Repository,
  { start, head }: { start: TrustedStart; head: string },
): Promise<string | undefined> {
  const files = await readChanges(repo, { from: start.commit, to: head, maxFileBytes });
  return lowValueReason({ files, own: [...start.own, ...(start.plan?.paths ?? [])] });
}

/** Why no reviewer would want a pull request; undefined: it is worth one, also in doubt. Pure. */
export function lowValueReason(changes: SessionChanges): string | undefined {
  const { files } = changes;
  if (files.length === 0) return "nothing differs from the start commit";
  const all = Object.entries(lowValueKinds);
  const kinds = files.map((file) => all.find(([, isKind]) => isKind(file, changes))?.[0]);
  if (kinds.includes(undefined)) return undefined;
  const groups = Map.groupBy(files, (_, index) => kinds[index]);
  const parts = [...groups].map(([name, found]) => `${name} (${listOf(found)})`);
  return `only ${parts.join(", ")} changed`;
}

function listOf(files: readonly PatchFile[]): string {
  const names = files.slice(0, shownPaths).map(({ path }) => path);
  const rest = files.length - names.length;
  return [...names, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}

/** A lockfile that changes without its manifest only follows the registry. */
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

/** By its path, or by a generator's note at the top. */
function isGenerated({ path, before, after }: PatchFile): boolean {
  const top = (after ?? before)?.content?.subarray(0, 1000).toString() ?? "";
  return isOutput(path) || /@generated\b|\bgenerated\b[^\n]{0,80}\bdo not edit\b/i.test(top);
}

/** Only line ends, trailing blanks and empty lines: indentation has a meaning in many languages. */
function isWhitespace({ before, after }: PatchFile): boolean {
  if (!before?.content || !after?.content || before.mode !== after.mode) return false;
  return withoutBlanks(before.content) === withoutBlanks(after.content);
}

function withoutBlanks(content: Buffer): string {
  const lines = content.toString("latin1").split("\n");
  return lines.flatMap((line) => line.trimEnd() || []).join("\n");
}
