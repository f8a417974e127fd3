import { join } from "node:path/posix";
import type { Dialect, ForeignTree } from "../dialects/dialect.ts";
import { type Problem, RalphError, visible } from "../error.ts";
import { FileError } from "../platform/file-error.ts";
import type { ReadFiles } from "../platform/system.ts";
import { type Finding, renderPath } from "../schema/base/finding.ts";
import { decodeText } from "../sources/decode-text.ts";
import { parseJson } from "../sources/parse-json.ts";

/** State files are small; a folder with more of them is not what it seems. */
const maxBytes = 4 * 1024 * 1024;
const maxFiles = 2000;
const maxDepth = 6;

/** The files of a dialect, and what is wrong with those nobody may go on with, by path. */
export interface ForeignState extends ForeignCheck {
  tree: ForeignTree;
}

interface ForeignCheck {
  problems: readonly Problem[];
  warnings: readonly Problem[];
}

/** Reads the state of another tool. A broken file is told and left out of the tree; nothing is thrown for it. */
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

/** A folder nobody may look into is a problem of that tool alone. */
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

/** Problems are told with their file. */
const withoutPath = ({ message }: RalphError, path: string) =>
  message.replace(`${path} `, "").replace(/\.$/, "");

/** A file of a dialect with everything wrong with it; without a text where none is there, or none can be read. */
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

/** The text of one of a dialect's files, with everything wrong with it. Bytes that are no text are nobody's state. */
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

/** Some files only have to be there, or begin empty (specs 003, "Launch"); of others that is told. */
const mayBeBlank = (dialect: Dialect, file: string, text: string) =>
  text.trim() === "" && dialect.check(file, "").length === 0;

/** Everything wrong with the text of one of a dialect's files, with its place. */
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

/** Findings in JSON have a key as their place, others a line. */
function placerOf(file: string, text: string, parsed = parsedOf(file, text)) {
  return ({ path, message }: Pick<Finding, "path" | "message">): Problem => {
    if (parsed?.kind === "parsed") {
      return { file, ...parsed.locate(path), message: visible(`${renderPath(path)} ${message}`) };
    }
    const place = typeof path[0] === "number" ? { line: path[0] } : {};
    return { file, ...place, message: visible(message) };
  };
}

/** The files of a dialect that are there, sorted; below the project root. What lies behind a link is not ours to see. */
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

/** Many keep `.claude` as a link to a folder of their own: that is no fault of a project without that tool. */
async function namesIn(files: ReadFiles, folder: string): Promise<string[]> {
  try {
    return await files.list(folder || ".");
  } catch (error) {
    if (error instanceof FileError && error.fault === "link") return [];
    throw error;
  }
}
