import type { MutationScore } from "../core/state/measurement.ts";
import {
  CargoMutants,
  GoMutesting,
  MutationTestingReport,
  MutmutStats,
} from "../schema/config/mutation-report.ts";
import { jsonValue } from "../text/json-value.ts";

/** Survivors that are kept; the counts are of all. */
const maxSurvivors = 50;

/** The score in a mutation testing tool's report; undefined for other files. Mutants that do not build count as not tried. */
export function readMutationReport(text: string): MutationScore | undefined {
  const { data } = Report.safeParse(jsonValue(text));
  return data && { ...data, survivors: data.survivors.slice(0, maxSurvivors) };
}

const Report = MutationTestingReport.transform(({ files }) => {
  const mutants = Object.entries(files).flatMap(([path, file]) =>
    file.mutants.map(({ status, location }) => ({ path, line: location.start.line, status })),
  );
  return scoreOf("mutation-testing-report", mutants, {
    noticed: ["Killed", "Timeout"],
    survived: ["Survived", "NoCoverage"],
  });
})
  .or(
    CargoMutants.transform(({ outcomes }) => {
      const mutants = outcomes.flatMap(({ scenario, summary: status }) => {
        if (typeof scenario === "string") return [];
        const { file: path = "", line = 1, span } = scenario.Mutant;
        return [{ path, line: span?.start.line ?? line, status }];
      });
      return scoreOf("cargo-mutants", mutants, {
        noticed: ["CaughtMutant", "Timeout"],
        survived: ["MissedMutant"],
      });
    }),
  )
  .or(
    GoMutesting.transform(({ stats, escaped }): MutationScore => {
      const noticed = stats.killedCount + stats.timeOutCount;
      const survivors = (escaped ?? []).map(({ mutator }) => ({
        path: mutator.originalFilePath,
        line: Math.max(1, mutator.originalStartLine),
      }));
      const tried = noticed + stats.escapedCount + stats.notCoveredCount;
      return { form: "go-mutesting", noticed, tried, survivors };
    }),
  )
  .or(
    MutmutStats.transform((stats): MutationScore => {
      const noticed = stats.killed + stats.timeout + stats.segfault;
      const tried = noticed + stats.survived + stats.no_tests + stats.suspicious;
      return { form: "mutmut", noticed, tried, survivors: [] };
    }),
  );

type Mutant = MutationScore["survivors"][number] & { status: string };

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
