import type { MutationScore } from "../core/state/measurement.ts";
import {
  CargoMutants,
  GoMutesting,
  MutationTestingReport,
  MutmutStats,
} from "../schema/config/mutation-report.ts";

type Survivors = MutationScore["survivors"];

/** Survivors that are kept; the counts are of all. */
const maxSurvivors = 50;

/**
 * The score in a mutation testing tool's JSON report. Known forms: the mutation-testing-report schema (Stryker and
 * others), mutmut's `export-cicd-stats`, cargo-mutants' `outcomes.json`, go-mutesting's `report.json`; undefined for
 * others. Mutants that do not build, or are left out, count as not tried.
 */
export function readMutationReport(text: string): MutationScore | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  for (const read of [readSchema, readCargo, readGo, readMutmut]) {
    const score = read(value);
    if (score) return { ...score, survivors: score.survivors.slice(0, maxSurvivors) };
  }
  return undefined;
}

function readSchema(value: unknown): MutationScore | undefined {
  const { data } = MutationTestingReport.safeParse(value);
  if (!data) return undefined;
  const mutants = Object.entries(data.files).flatMap(([path, file]) =>
    file.mutants.map(({ status, location }) => ({ path, line: location.start.line, status })),
  );
  return scoreOf("mutation-testing-report", mutants, {
    noticed: ["Killed", "Timeout"],
    survived: ["Survived", "NoCoverage"],
  });
}

function readCargo(value: unknown): MutationScore | undefined {
  const { data } = CargoMutants.safeParse(value);
  if (!data) return undefined;
  const mutants = data.outcomes.flatMap(({ scenario, summary: status }) => {
    if (typeof scenario === "string") return [];
    const { file: path = "", line = 1, span } = scenario.Mutant;
    return [{ path, line: span?.start.line ?? line, status }];
  });
  return scoreOf("cargo-mutants", mutants, {
    noticed: ["CaughtMutant", "Timeout"],
    survived: ["MissedMutant"],
  });
}

type Mutant = Survivors[number] & { status: string };

function scoreOf(
  form: MutationScore["form"],
  mutants: readonly Mutant[],
  means: Record<"noticed" | "survived", readonly string[]>,
): MutationScore {
  const survivors = mutants.filter(({ status }) => means.survived.includes(status));
  const noticed = mutants.filter(({ status }) => means.noticed.includes(status)).length;
  return {
    form,
    noticed,
    tried: noticed + survivors.length,
    survivors: survivors.map(({ path, line }) => ({ path, line })),
  };
}

function readGo(value: unknown): MutationScore | undefined {
  const { data } = GoMutesting.safeParse(value);
  if (!data) return undefined;
  const { killedCount, timeOutCount, escapedCount, notCoveredCount } = data.stats;
  const noticed = killedCount + timeOutCount;
  const survivors = (data.escaped ?? []).map(({ mutator }) => ({
    path: mutator.originalFilePath,
    line: Math.max(1, mutator.originalStartLine),
  }));
  const tried = noticed + escapedCount + notCoveredCount;
  return { form: "go-mutesting", noticed, tried, survivors };
}

function readMutmut(value: unknown): MutationScore | undefined {
  const { data } = MutmutStats.safeParse(value);
  if (!data) return undefined;
  const noticed = data.killed + data.timeout + data.segfault;
  const tried = noticed + data.survived + data.no_tests + data.suspicious;
  return { form: "mutmut", noticed, tried, survivors: [] };
}
