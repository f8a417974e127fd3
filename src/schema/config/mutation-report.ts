import * as z from "zod";

const count = z.int().min(0).default(0);

/** The mutation-testing-report schema of Stryker and others; only what the score needs. */
export const MutationTestingReport = z.object({
  schemaVersion: z.unknown(),
  files: z.record(
    z.string(),
    z.object({
      mutants: z.array(
        z.object({
          status: z.string(),
          location: z.object({ start: z.object({ line: z.int() }) }),
        }),
      ),
    }),
  ),
});

/** `outcomes.json` of cargo-mutants; newer versions name a span instead of a line. */
export const CargoMutants = z.object({
  outcomes: z.array(
    z.object({
      summary: z.string(),
      scenario: z.union([
        z.string(),
        z.object({
          Mutant: z.object({
            file: z.string().optional(),
            line: z.int().optional(),
            span: z.object({ start: z.object({ line: z.int() }) }).optional(),
          }),
        }),
      ]),
    }),
  ),
});

/** `report.json` of go-mutesting. */
export const GoMutesting = z.object({
  stats: z.object({
    totalMutantsCount: z.int(),
    killedCount: count,
    escapedCount: count,
    notCoveredCount: count,
    timeOutCount: count,
  }),
  escaped: z
    .array(
      z.object({
        mutator: z.object({ originalFilePath: z.string(), originalStartLine: z.int().default(1) }),
      }),
    )
    .nullish(),
});

/** `mutmut-cicd-stats.json`, which names no places. */
export const MutmutStats = z.object({
  killed: z.int().min(0),
  survived: z.int().min(0),
  total: z.int().min(0),
  no_tests: count,
  suspicious: count,
  timeout: count,
  segfault: count,
});
