import * as z from "zod";

/** A gate whose runs on one tree differed, as `flaky.json` in the state directory remembers it. */
export const FlakyGate = z.object({
  gate: z.string(),
  /** Failures of the red runs, where the output names them. */
  failures: z.array(z.string()),
  times: z.int(),
  last: z.iso.datetime(),
});
export type FlakyGate = z.infer<typeof FlakyGate>;

export const FlakyLedger = z.object({ format: z.literal(1), gates: z.array(FlakyGate) });
