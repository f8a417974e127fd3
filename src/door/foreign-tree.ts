import { join } from "node:path/posix";
import { type Problem, RalphError } from "../error.ts";
import { renderPath } from "../model/finding.ts";
import type { Dialect, ForeignTree } from "../surfaces/dialects/dialect.ts";
import { decodeText } from "../system/decode-text.ts";
import { parseJson } from "../system/parse-json.ts";
import type { ReadFiles } from "../system/system.ts";

/** State files are small; a folder with more of them is not what it seems. */
const maxBytes = 4 * 1024 * 1024;
const maxFiles = 2000;
const maxDepth = 6;

/** The files of a dialect, and what is wrong with those nobody may go on with, by path. */
export interface ForeignState {
  tree: ForeignTree;
  problems: readonly Problem[];
  warnings: readonly Problem[];
}

/** Reads the state of another tool. A broken file is told and left out of the tree; nothing is thrown for it. */
export async function readForeign(files: ReadFiles, dialect: Dialect): Promise<ForeignState> {
  const tree = new Map<string, string>();
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  for (const path of await ownedPaths(files, dialect)) {
    const text = await readText(files, path);
    if (typeof text !== "string") {
      problems.push(text);
      continue;
    }
    const found = checkForeignText(dialect, path, text);
    problems.push(...found.problems);
    warnings.push(...found.warnings);
    if (found.problems.length === 0) tree.set(path, text);
  }
  for (const { file, severity, message } of dialect.checkTree?.(tree) ?? []) {
    (severity === "error" ? problems : warnings).push({ file, message });
  }
  return { tree, problems, warnings };
}

/** Everything wrong with the text of one of a dialect's files, with its place. */
export function checkForeignText(
  dialect: Dialect,
  file: string,
  text: string,
): Omit<ForeignState, "tree"> {
  const isJson = file.endsWith(".json");
  const parsed = isJson ? parseJson({ bytes: Buffer.from(text), file, maxBytes }) : undefined;
  if (parsed?.kind === "refused") return { problems: parsed.problems, warnings: [] };
  const place = (path: readonly PropertyKey[]) => {
    if (parsed) return parsed.locate(path);
    return typeof path[0] === "number" ? { line: path[0] } : {};
  };
  const say = (path: readonly PropertyKey[], message: string) =>
    parsed ? `${renderPath(path)} ${message}` : message;
  const findings = dialect.check(file, text).map(({ severity, path, message }) => ({
    severity,
    problem: { file, ...place(path), message: say(path, message) },
  }));
  const of = (wanted: "error" | "warning") =>
    findings.filter(({ severity }) => severity === wanted).map(({ problem }) => problem);
  return { problems: of("error"), warnings: of("warning") };
}

/** The files of a dialect that are there, sorted; below the project root. */
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
  for (const name of await files.list(folder || ".")) {
    const path = join(folder, name);
    const kind = (await files.stat(path))?.kind;
    if (kind === "folder" && depth > 0) yield* walk(files, path, depth - 1);
    else if (kind !== undefined && kind !== "folder") yield path;
  }
}

/** A problem in place of what cannot be read as text. */
async function readText(files: ReadFiles, file: string): Promise<string | Problem> {
  try {
    const bytes = (await files.read(file, { maxBytes })) ?? Buffer.alloc(0);
    // Some files only have to be there; what must hold something is told when it is checked.
    if (bytes.length === 0) return "";
    const decoded = decodeText({ bytes, file, maxBytes });
    return decoded.kind === "refused"
      ? (decoded.problems[0] ?? { file, message: "" })
      : decoded.text;
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return { file, message: error.message };
  }
}
