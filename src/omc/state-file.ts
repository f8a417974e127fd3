import type * as z from "zod";
import { logLine } from "../platform/library.ts";
import { checkShape } from "../schema/base/check-shape.ts";
import { renderPath } from "../schema/base/finding.ts";
import { readJsonState, removeJsonState, writeJsonState } from "./json-state.ts";

/** A state file below `root`, with a name for the log. */
export type StateFile<State> = {
  root: string;
  path: string;
  name: string;
  schema: z.ZodType<State>;
};

/** Where the file is below a folder. */
export const fileIn =
  <State>(path: string, name: string, schema: z.ZodType<State>) =>
  (root: string): StateFile<State> => ({ root, path, name, schema });

/** Returns null for a missing file, and logs and returns null for an unusable one. Never throws (specs 002). */
export function readStateFile<State>({ root, path, name, schema }: StateFile<State>): State | null {
  try {
    const value = readJsonState(root, path);
    if (value === undefined) return null;
    const checked = checkShape(schema, value);
    if (checked.kind === "invalid") {
      const problems = checked.findings.map((each) => `${renderPath(each.path)} ${each.message}`);
      throw new Error(problems.join("; "));
    }
    logLine(`Read ${name} state`, { path });
    return checked.data;
  } catch (error) {
    logLine(`Failed to read ${name} state`, { path, error: String(error) }, true);
    return null;
  }
}

export function writeStateFile<State extends object>(file: StateFile<State>, state: State): void {
  attempt("write", file, () => writeJsonState(file.root, file.path, state));
}

export function clearStateFile(file: StateFile<never> | StateFile<object>): void {
  attempt("clear", file, () => removeJsonState(file.root, file.path));
}

const done = { write: "Wrote", clear: "Cleared" };

function attempt(
  verb: keyof typeof done,
  { path, name }: Pick<StateFile<object>, "path" | "name">,
  act: () => void,
): void {
  try {
    act();
    logLine(`${done[verb]} ${name} state`, { path });
  } catch (error) {
    logLine(`Failed to ${verb} ${name} state`, { path, error: String(error) }, true);
  }
}
