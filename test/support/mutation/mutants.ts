import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { mutantsOf } from "../../../src/core/proof/mutants.ts";
import { securityModules } from "./modules.ts";

/** A module with one line changed. */
export interface ModuleMutant {
  readonly file: string;
  readonly tests: readonly string[];
  readonly line: number;
  readonly before: string;
  readonly after: string;
  /** The whole module. */
  readonly text: string;
}

/** One for each line of the security modules that can be changed, as the proof of the work changes lines of tasks. */
export const listMutants = (root: string): ModuleMutant[] =>
  Object.entries(securityModules).flatMap(([file, tests]) => {
    // Types say nothing when the program runs. Lines keep their numbers.
    const lines = stripTypeScriptTypes(readFileSync(`${root}/${file}`, "utf8")).split("\n");
    const numbered = lines.map((text, index) => ({ line: index + 1, text }));
    return mutantsOf(file, numbered).map(({ line, before, after }) => ({
      ...{ file, tests, line, before: before.trim(), after: after.trim() },
      text: lines.with(line - 1, after).join("\n"),
    }));
  });
