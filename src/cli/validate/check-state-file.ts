import type { Dialect } from "../../dialects/dialect.ts";
import { dialects } from "../../dialects/dialects.ts";
import { checkForeignBytes, type ForeignState, readForeign } from "../../entry/foreign-tree.ts";
import type { Problem } from "../../error.ts";
import { limitProblems, type Refusal, sourceError } from "../../sources/accept-source.ts";
import { readSource } from "../../sources/read-source.ts";
import type { CheckInput, ValidFile } from "./target.ts";

const maxBytes = 4 * 1024 * 1024;

/** The tool that owns a state file, by the end of the path. */
export function dialectOf(path: string): { dialect: Dialect; path: string } | undefined {
  const parts = path.split("/");
  for (const index of parts.keys()) {
    const below = parts.slice(index).join("/");
    const dialect = dialects.find((each) => each.owns(below));
    if (dialect) return { dialect, path: below };
  }
  return undefined;
}

/** Reads the state of a tool below a folder, once for all of its files. */
export function createForeignReader({ files }: CheckInput["system"]): CheckInput["foreign"] {
  const known = new Map<string, Promise<ForeignState>>();
  return (root, dialect) => {
    const key = `${dialect.name} ${root}`;
    const state = known.get(key) ?? readForeign(files(root), dialect);
    known.set(key, state);
    return state;
  };
}

/** A state file of another tool (specs 000 to 003), and what contradicts its other files there. */
export async function checkStateFile(place: CheckInput): Promise<ValidFile> {
  const { file, target, foreign } = place;
  const { shown } = target;
  const owner = dialectOf(target.path);
  if (!owner) throw new Error(`${shown} is not a state file.`);
  const remedy = `Fix ${shown} at the places above, or move it away.`;
  const refusal: Refusal = { reason: "source", file: shown, remedy };
  const bytes = await readSource(file, { maxBytes, missing: refusal });
  const root = target.path.slice(0, -owner.path.length - 1) || "/";
  const around = await foreign(root, owner.dialect);
  const alone = checkForeignBytes(owner.dialect, owner.path, bytes);
  const about = (kind: "problems" | "warnings") =>
    [...alone[kind], ...around[kind].filter((each) => isNews(each, alone[kind]))]
      .filter((problem) => problem.file === owner.path)
      .map((problem) => ({ ...problem, file: shown }));
  const problems = about("problems");
  if (problems.length > 0) throw sourceError(limitProblems(problems, shown), refusal);
  return {
    note: `a valid state file of ${owner.dialect.name}`,
    warnings: about("warnings"),
  };
}

const isNews = ({ message }: Problem, known: readonly Problem[]) =>
  !known.some((each) => each.message === message);
