import type { SessionState } from "../../core/state/session-state.ts";
import type { ForeignFile } from "../dialect.ts";
import { parseRecord, renderJson } from "../json-text.ts";
import { checkFailures, type TeamFailures } from "./schema/failures.ts";
import { teamFailuresOf } from "./team-run.ts";

export const failuresPath = ".ralph/failures.json";

/** The counters of our workers; those of other teammates stay. Teammates lock the file itself (compatibility 5). */
export function failuresJson(state: SessionState): ForeignFile {
  const ours = teamFailuresOf(state);
  return {
    path: failuresPath,
    locks: [failuresPath],
    inPlace: true,
    ours: JSON.stringify(ours),
    merge: (text) => withFailures(text, ours),
  };
}

/** The file with some counters replaced; undefined for a file nobody may go on with. */
export function withFailures(text: string | undefined, ours: TeamFailures): string | undefined {
  const before = parseRecord(text);
  if (!before || checkFailures(before).length > 0) return undefined;
  return renderJson({ ...before, ...ours });
}
