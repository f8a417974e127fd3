import type { ForeignFile } from "../dialect.ts";
import { parseRecord, renderJson } from "../json-text.ts";
import { readFailures, type TeamFailures } from "./schema/failures.ts";
import { failuresPath } from "./team-counters.ts";

/** The file that resets all circuit breakers; `counted` returns the consecutive failures of each teammate before. */
export function resetBreakers(): { file: ForeignFile; counted: () => Record<string, number> } {
  let before: TeamFailures = {};
  const merge = (text: string | undefined) => {
    const record = parseRecord(text);
    before = readFailures(record) ?? {};
    const isClosed = Object.values(before).every(({ consecutive_failures: n }) => n === 0);
    return record && !isClosed ? renderJson(reset(record)) : undefined;
  };
  return {
    file: { path: failuresPath, locks: [failuresPath], inPlace: true, ours: "reset", merge },
    counted: () => {
      const open = Object.entries(before).map(([name, each]) => [name, each.consecutive_failures]);
      return Object.fromEntries(open.filter(([, count]) => count !== 0));
    },
  };
}

function reset(record: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(record).map(([name, each]) => {
    if (name.startsWith("_")) return [name, each] as const;
    if (typeof each === "number") return [name, 0] as const;
    return [name, { ...Object(each), consecutive_failures: 0 }] as const;
  });
  return Object.fromEntries(entries);
}
