import { join } from "node:path/posix";
import type { Dialect, ForeignTree } from "../dialects/dialect.ts";
import { type Problem, RalphError, visible } from "../error.ts";
import { FileError } from "../platform/file-error.ts";
import type { ReadFiles } from "../platform/system.ts";
import { type Finding, renderPath } from "../schema/base/finding.ts";
import { decodeText } from "../sources/decode-text.ts";
import { parseJson } from "../sources/parse-json.ts";

/** State files are small and few; anything beyond these limits is not read. */
const maxBytes = 4 * 1024 * 1024;
const maxFiles = 2000;
const maxDepth = 6;

/** The files of a dialect by path, and the problems of the broken ones. */
export interface ForeignState extends ForeignCheck {
  tree: ForeignTree;
}

interface ForeignCheck {
  problems: readonly Problem[];
  warnings: readonly Problem[];
}

/** Reads the state of another tool. A broken file becomes a problem and is left out of the tree; nothing is thrown. */
export async function readForeign(files: ReadFiles, dialect: Dialect): Promise<ForeignState> {
  const tree = new Map<string, string>();
  const { paths, problems } = await readablePaths(files, dialect);
  const warnings: Problem[] = [];
  for (const path of paths) {
    const found = await checkForeignFile(files, dialect, path);
    problems.push(...found.problems);
    warnings.push(...found.warnings);
    if (found.text !== undefined && found.problems.length === 0) tree.set(path, found.text);
  }
  for (const { file, ...finding } of dialect.checkTree?.(tree) ?? []) {
    const problem = placerOf(file, tree.get(file) ?? "")(finding);
    (finding.severity === "error" ? problems : warnings).push(problem);
  }
  return { tree, problems, warnings };
}

/** An unreadable folder is a problem of that tool alone. */
async function readablePaths(files: ReadFiles, dialect: Dialect) {
  const problems: Problem[] = [];
  try {
    return { paths: await ownedPaths(files, dialect), problems };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    problems.push({ file: error.path, message: withoutPath(error, error.path) });
    return { paths: [], problems };
  }
}

/** Problems are shown with their file already. */
const withoutPath = ({ message }: RalphError, path: string) =>
  message.replace(`${path} `, "").replace(/\.$/, "");

/** Checks a file of a dialect; without `text` if the file is missing or unreadable. */
export async function checkForeignFile(
  files: Pick<ReadFiles, "read">,
  dialect: Dialect,
  path: string,
): Promise<ForeignCheck & { text?: string; remedy?: string }> {
  try {
    const bytes = await files.read(path, { maxBytes });
    return bytes ? checkForeignBytes(dialect, path, bytes) : sound;
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    const problem = { file: path, message: withoutPath(error, path) };
    return { problems: [problem], warnings: [], remedy: error.remedy };
  }
}

const sound: ForeignCheck = { problems: [], warnings: [] };

/** Decodes and checks a file of a dialect; bytes that are not text are a problem. */
export function checkForeignBytes(
  dialect: Dialect,
  file: string,
  bytes: Buffer,
): ForeignCheck & { text?: string } {
  if (mayBeBlank(dialect, file, bytes.toString())) return { ...sound, text: "" };
  const decoded = decodeText({ bytes, file, maxBytes });
  if (decoded.kind === "refused") return { problems: decoded.problems, warnings: [] };
  return { text: decoded.text, ...checkForeignText(dialect, file, decoded.text) };
}

/** Some files may be empty, or are so at first (specs 003, "Launch"); the dialect decides. */
const mayBeBlank = (dialect: Dialect, file: string, text: string) =>
  text.trim() === "" && dialect.check(file, "").length === 0;

/** Checks the text of a file of a dialect; problems have line and column where known. */
export function checkForeignText(dialect: Dialect, file: string, text: string): ForeignCheck {
  if (mayBeBlank(dialect, file, text)) return sound;
  const parsed = parsedOf(file, text);
  if (parsed?.kind === "refused") return { problems: parsed.problems, warnings: [] };
  const findings = dialect.check(file, text);
  const of = (wanted: Finding["severity"]) =>
    findings.filter(({ severity }) => severity === wanted).map(placerOf(file, text, parsed));
  return { problems: of("error"), warnings: of("warning") };
}

const parsedOf = (file: string, text: string) =>
  file.endsWith(".json") ? parseJson({ bytes: Buffer.from(text), file, maxBytes }) : undefined;

/** Adds the place: findings in JSON name a key, others a line. */
function placerOf(file: string, text: string, parsed = parsedOf(file, text)) {
  return ({ path, message }: Pick<Finding, "path" | "message">): Problem => {
    if (parsed?.kind === "parsed") {
      return { file, ...parsed.locate(path), message: visible(`${renderPath(path)} ${message}`) };
    }
    const place = typeof path[0] === "number" ? { line: path[0] } : {};
    return { file, ...place, message: visible(message) };
  };
}

/** The existing files of a dialect, sorted, relative to the project root. Links are not followed. */
export async function ownedPaths(files: ReadFiles, { folders, owns }: Dialect): Promise<string[]> {
  const found = new Set<string>();
  for (const folder of folders) {
    const depth = folder === "" ? 0 : maxDepth;
    for await (const path of walk(files, folder, depth)) {
      if (found.size >= maxFiles) break;
      if (owns(path)) found.add(path);
    }
  }
  return [...found].toSorted();
}

async function* walk(files: ReadFiles, folder: string, depth: number): AsyncGenerator<string> {
  for (const name of await namesIn(files, folder)) {
    const path = join(folder, name);
    const kind = (await files.stat(path))?.kind;
    if (kind === "folder" && depth > 0) yield* walk(files, path, depth - 1);
    else if (kind !== undefined && kind !== "folder") yield path;
  }
}

/** Many users link `.claude` to a folder elsewhere; that is no problem of a project that does not use the tool. */
async function namesIn(files: ReadFiles, folder: string): Promise<string[]> {
  try {
    return await files.list(folder || ".");
  } catch (error) {
    if (error instanceof FileError && error.fault === "link") return [];
    throw error;
  }
}
