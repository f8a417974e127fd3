import type { GateResult } from "../../gates/gates.ts";
import { readMutationReport } from "../../gates/mutation-report.ts";
import type { Files } from "../../platform/system.ts";
import type { Gate } from "../../schema/config/gates.ts";

/** A report holds the source of all files that were mutated. */
const maxBytes = 64 * 1024 * 1024;

/**
 * Runs a gate; with `kind: mutation`, its result has the score of the report that this run wrote. Without one it has no
 * verdict. What such a gate prints about tests is no count of the project's tests.
 */
export async function withMutationScore(
  files: Files,
  { kind, report }: Gate,
  run: () => Promise<GateResult>,
): Promise<GateResult> {
  if (kind !== "mutation" || report === undefined) return run();
  await files.remove(report);
  const { tests: _, ...result } = await run();
  if (result.status !== "passed" && result.status !== "failed") return result;
  const text = (await files.read(report, { maxBytes }))?.toString("utf8");
  const mutation = text === undefined ? undefined : readMutationReport(text);
  if (mutation) return { ...result, mutation };
  const why = text === undefined ? "was not written" : "is no known mutation report";
  const detail = `No verdict: ${report} ${why}. ${result.detail}`.trim();
  return { ...result, status: "not_started", detail, fingerprints: [] };
}
