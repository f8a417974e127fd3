import * as z from "zod";

/** A write-once evidence file, named by its sha256. `bytes` is the full size, also beyond the limit that is kept. */
export const EvidenceRef = z.object({ sha256: z.string(), bytes: z.int().min(0) });
export type EvidenceRef = z.infer<typeof EvidenceRef>;

/** A picture: a PNG unless `kind` names the other form, which pages too large for a PNG get. */
export const PictureRef = EvidenceRef.extend({ kind: z.literal("jpg").optional() });
export type PictureRef = z.infer<typeof PictureRef>;

/** The outcome of one run of a gate. */
export const gateStatuses = ["passed", "failed", "timed_out", "skipped", "not_started"] as const;

/** How many tests a gate says it ran (`readCensus`); plain `go test` names packages only. */
export const Census = z.object({
  form: z.string(),
  unit: z.enum(["tests", "packages"]),
  passed: z.int(),
  failed: z.int(),
  skipped: z.int(),
});
export type Census = z.infer<typeof Census>;

export const tree = z.string().describe("Git tree id");
export const task = z.string().describe("Task id");

/** The fields of every run of a gate: on a task's tree, on the start commit, on a tree of the proof. */
export const gateRun = {
  gate: z.string(),
  /** Digest of everything that decides the result except the tree: command, condition, time limit. */
  key: z.string(),
  tree,
  status: z.enum(gateStatuses),
  detail: z.string(),
  /** One per failure the output names; empty when it names none. */
  fingerprints: z.array(z.string()),
  /** How many tests it says it ran, where its output tells. */
  tests: Census.optional(),
  ms: z.number(),
  output: EvidenceRef.optional(),
};

/** Changed files of a pass or a repair, with git's letters. */
export const changedFiles = z.array(z.object({ status: z.string(), path: z.string() }));

/** The tokens and dollars of a call of an agent program or a model. */
export const Usage = z.object({
  cost_usd: z.number().optional(),
  turns: z.int().optional(),
  /** All input tokens; the next figure says how many of them came from a cache. */
  input_tokens: z.int().optional(),
  cached_input_tokens: z.int().optional(),
  output_tokens: z.int().optional(),
});
export type Usage = z.infer<typeof Usage>;

/** The mutants that a mutation testing tool reports, and the places where no test noticed one. */
export const MutationScore = z.object({
  form: z.enum(["mutation-testing-report", "mutmut", "cargo-mutants", "go-mutesting"]),
  noticed: z.int(),
  tried: z.int(),
  survivors: z.array(z.object({ path: z.string(), line: z.int() })),
});
export type MutationScore = z.infer<typeof MutationScore>;
