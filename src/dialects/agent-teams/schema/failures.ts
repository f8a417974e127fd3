import * as z from "zod";
import { checkShape } from "../../../schema/base/check-shape.ts";
import type { Finding } from "../../../schema/base/finding.ts";

const count = z.int().min(0);

/** A teammate's record in `.ralph/failures.json` (specs 003): the counter of the circuit breaker, and totals. */
export const TeamFailure = z.strictObject({
  consecutive_failures: count.describe("Failed completions since the last one that held"),
  last_failure: z.string().nullable().describe("The last failure; null without one"),
  total_failures: count.describe("Failed completions in all"),
  total_successes: count.describe("Completions that held"),
});
export type TeamFailure = z.infer<typeof TeamFailure>;

const name = z.string().min(1).max(200);

/** The file, by teammate. */
export const TeamFailures = z
  .record(name, TeamFailure)
  .meta({ title: "Agent Teams failures", description: "Failures of each teammate, failures.json" });
export type TeamFailures = z.infer<typeof TeamFailures>;

/** A record of another writer: without totals (compatibility 5). */
const Lenient = z.looseObject({
  ...TeamFailure.partial().shape,
  last_failure: z.string().nullish(),
});

/** All findings in the file's value. */
export function checkFailures(value: unknown): Finding[] {
  const shape = checkShape(z.record(name, z.unknown()), value);
  if (shape.kind === "invalid") return shape.findings;
  return Object.entries(shape.data).flatMap(([key, each]) => checkEntry(key, each));
}

function checkEntry(key: string, each: unknown): Finding[] {
  if (isRemark(key)) return [];
  const shape = checkShape(typeof each === "number" ? count : Lenient, each);
  const findings = shape.kind === "invalid" ? shape.findings : [];
  return findings.map((finding) => ({ ...finding, path: [key, ...finding.path] }));
}

/** The file in the specification's format, from any of its formats; undefined for an invalid file. */
export function readFailures(value: unknown): TeamFailures | undefined {
  if (checkFailures(value).length > 0) return undefined;
  const entries = Object.entries(Object(value)).filter(([key]) => !isRemark(key));
  return Object.fromEntries(entries.map(([key, each]) => [key, toFailure(each)]));
}

/** `_updated_at` and similar keys concern the file, not a teammate. */
const isRemark = (key: string) => key.startsWith("_");

export const noFailure: TeamFailure = {
  consecutive_failures: 0,
  last_failure: null,
  total_failures: 0,
  total_successes: 0,
};

function toFailure(each: unknown): TeamFailure {
  if (typeof each === "number") {
    return { ...noFailure, consecutive_failures: each, total_failures: each };
  }
  const { consecutive_failures = 0, last_failure = null, ...totals } = Lenient.parse(each);
  const { total_failures = consecutive_failures, total_successes = 0 } = totals;
  return { consecutive_failures, last_failure, total_failures, total_successes };
}
