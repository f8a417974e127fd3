import { RalphError, renderProblem } from "../error.ts";
import type { Run } from "../run/run.ts";
import type { Dialect, DialectGiven, ForeignFile } from "../surfaces/dialects/dialect.ts";
import type { ReadFiles } from "../system/system.ts";
import { checkForeignText } from "./foreign-tree.ts";

/** Keeps the state files of other tools in step with a session (`compat.emit`). */
export interface Emitter {
  update: (run: Run) => Promise<void>;
  /** What could not be written since this was asked last, and why. */
  remarks: () => readonly string[];
}

export type WriteResult =
  /** `isRespected`: other programs take the same kind of lock (F16). */
  { kind: "written"; isRespected: boolean } | { kind: "held"; lock: string };

export interface EmitterParts {
  dialects: readonly Dialect[];
  given: DialectGiven;
  project: Pick<ReadFiles, "read">;
  /** Writes files under the locks of all of them; told is what stood in the way, and then nothing was written. */
  write: (files: readonly ForeignFile[]) => Promise<WriteResult>;
  /** The last commit in which a file could be used: told of one that cannot. */
  lastGood: (path: string, isSound: (text: string) => boolean) => Promise<string | undefined>;
}

/**
 * What has changed since the last update is written. Before a file is written for the first time, what stands there must
 * be sound: a broken one may be another tool's work, so the session ends instead (exit 2, design 9.3). A lock that nobody
 * lets go of costs no task its proof: it is told, and nothing more is written.
 */
export function createEmitter(parts: EmitterParts): Emitter {
  const written: Written = new Map();
  const remarks: string[] = [];
  let isOver = false;
  const update = async (run: Run) => {
    if (isOver) return;
    // Whatever is thrown ends the session; its end is not shown then.
    isOver = true;
    const changed = await changedFiles(parts, { run, written });
    const result = changed.length > 0 ? await parts.write(changed) : nothingWritten;
    if (result.kind === "held") {
      remarks.push(heldRemark(result.lock));
      return;
    }
    if (!result.isRespected) remarks.push(ownLocks);
    for (const file of changed) written.set(file.path, showsOf(file));
    isOver = false;
  };
  return { update, remarks: () => remarks.splice(0) };
}

const nothingWritten = { kind: "written", isRespected: true } as const;

const ownLocks =
  "This file system or machine has no flock: files for other tools are written under locks of ralph's own, which other programs do not respect.";

const heldRemark = (lock: string) =>
  `Another program has held ${lock} for ten seconds; files for other tools are not written any more.`;

/** What was written, by path; undefined for a file that was removed. */
type Written = Map<string, string | undefined>;

async function changedFiles(
  parts: EmitterParts,
  { run, written }: { run: Run; written: Written },
): Promise<ForeignFile[]> {
  const changed: ForeignFile[] = [];
  for (const dialect of parts.dialects) {
    const files = dialect.render(run, parts.given).filter((file) => hasChanged(written, file));
    const unknown = files.filter(({ path }) => !written.has(path));
    for (const { path } of unknown) await requireSound(parts, dialect, path);
    changed.push(...files);
  }
  return changed;
}

const showsOf = (file: ForeignFile) => ("text" in file ? file.text : file.ours);

const hasChanged = (written: Written, file: ForeignFile) =>
  !written.has(file.path) || written.get(file.path) !== showsOf(file);

async function requireSound(parts: EmitterParts, dialect: Dialect, path: string): Promise<void> {
  const text = (await parts.project.read(path))?.toString();
  if (text === undefined) return;
  const { problems } = checkForeignText(dialect, path, text);
  if (problems.length === 0) return;
  const isSound = (each: string) => checkForeignText(dialect, path, each).problems.length === 0;
  const commit = await parts.lastGood(path, isSound);
  throw corrupt(dialect, { path, problems, commit });
}

/** A broken file of another tool: told with the last commit in which it was sound (specs 003, troubleshooting). */
export function corrupt(
  { name }: Pick<Dialect, "name">,
  {
    path,
    problems,
    commit,
  }: { path: string; commit: string | undefined } & Pick<RalphError, "problems">,
): RalphError {
  const way =
    commit === undefined
      ? `git has no sound version of it. Repair it, or move it away`
      : `The last sound version is in commit ${commit.slice(0, 12)}: \`git checkout ${commit.slice(0, 12)} -- ${path}\``;
  return new RalphError("source", {
    message: `${path} is a file of ${name} that cannot be used:\n${problems.map(renderProblem).join("\n")}`,
    remedy: `${way}. Nothing was written to it.`,
    problems,
  });
}
