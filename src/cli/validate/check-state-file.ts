import type { Dialect } from "../../dialects/dialect.ts";
import { dialects } from "../../dialects/dialects.ts";
import { checkForeignBytes } from "../../entry/foreign-tree.ts";
import { readSource } from "../../sources/read-source.ts";
import { limitProblems, type Refusal, sourceError } from "../../sources/source-error.ts";
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

/** A state file of another tool (specs 000 to 003). */
export async function checkStateFile({ file, target }: CheckInput): Promise<ValidFile> {
  const { shown } = target;
  const owner = dialectOf(target.path);
  if (!owner) throw new Error(`${shown} is not a state file.`);
  const remedy = `Fix ${shown} at the places above, or move it away.`;
  const refusal: Refusal = { reason: "source", file: shown, remedy };
  const bytes = await readSource(file, { maxBytes, missing: refusal });
  const found = checkForeignBytes(owner.dialect, owner.path, bytes);
  const named = (problem: (typeof found.problems)[number]) => ({ ...problem, file: shown });
  if (found.problems.length > 0) {
    throw sourceError(limitProblems(found.problems.map(named), shown), refusal);
  }
  return {
    note: `a valid state file of ${owner.dialect.name}`,
    warnings: found.warnings.map(named),
  };
}
