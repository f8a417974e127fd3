import * as z from "zod";
import { gateRun, task, tree } from "./measurement.ts";

/** The checks of the proof of the work. Each has a level in `proof.*` of the configuration. */
export const proofChecks = ["census", "originals", "controls", "red_first", "witness"] as const;
export const ProofCheck = z.enum(proofChecks);
export type ProofCheck = z.infer<typeof ProofCheck>;

/**
 * The purpose of a proof tree: `tests` and `controls` are the two halves of `originals`, `old_suite` is it without the
 * tests that the task brought; `as_found` has tests of earlier tasks as the session found them; `scripts` adds the files
 * that commands of gates name, `scripts_only` has no others; a `mutant` answers something else in one line.
 */
export const proofParts = [
  "originals",
  "tests",
  "controls",
  "old_suite",
  "as_found",
  "scripts",
  "scripts_only",
  "first",
  "first_old",
  "hunk",
  "mutant",
] as const;
export type ProofPart = (typeof proofParts)[number];

/** Something people should look at. A `finding` keeps the pull request a draft, a `note` does not. */
export const ProofFinding = z.object({
  kind: z.enum(["finding", "note"]),
  check: z.enum([...proofChecks, "flaky", "flags"]),
  message: z.string(),
  paths: z.array(z.string()),
});
export type ProofFinding = z.infer<typeof ProofFinding>;

/** The result of a task's proof, for people: the verdict of each check, and how many changes tests noticed. */
export const ProofFigures = z.object({
  originals: z.string(),
  red_first: z.string(),
  witnessed: z.int(),
  tried: z.int(),
  /** Executed tests of all counting gates, before and after. */
  tests_before: z.int().optional(),
  tests_after: z.int().optional(),
});
export type ProofFigures = z.infer<typeof ProofFigures>;

/** The files that the work tree holds for the next role: with tests first, test writer and implementation do not see each other's files. */
export const workParts = ["tests", "work", "all"] as const;
export type WorkPart = (typeof workParts)[number];

/** The facts of the proof of the work, in the order in which they come. Trees are computed by git, never judged there. */
export const proofFacts = [
  /** A gate with `fixes: true` changed files of the tree `from`; the work goes on from `tree`. */
  z.object({
    type: z.literal("gate_fixed"),
    task,
    gate: z.string(),
    from: tree,
    tree,
    paths: z.array(z.string()),
  }),
  /** Tests first: the work tree now holds one part of the task's work, `tree`, or all of it. */
  z.object({
    type: z.literal("work_shown"),
    task,
    part: z.enum(workParts),
    tree,
    /** The base with the task's tests, and the work without them. */
    tests: tree,
    work: tree,
    /** The files of the tests. */
    paths: z.array(z.string()),
  }),
  z.object({
    type: z.literal("proof_planned"),
    task,
    tree,
    base: tree,
    /** The commit the task began on, which holds `base`. */
    base_commit: z.string(),
    /** Old test files and control files that the task changed; test files it brought or changed. */
    old_tests: z.array(z.string()),
    controls: z.array(z.string()),
    /** Changed files that commands of gates name, and these gates. */
    scripts: z.array(z.object({ path: z.string(), gates: z.array(z.string()) })).optional(),
    tests: z.array(z.string()),
    /** Code the gates judge; a task that changes none has nothing that a test could notice. */
    product: z.array(z.string()),
    /** Changes that are legitimate and can weaken what is checked, with the reason. */
    flagged: z.array(z.object({ path: z.string(), because: z.string() })),
    /** The task's tree with old files laid over it, and its base with new tests laid over that. */
    trees: z.partialRecord(z.enum(proofParts), tree),
    /** The task's tree with one change taken back, for each. */
    /** `old_test`: it changed tests that the file holds beside its code. */
    hunks: z.array(
      z.object({ path: z.string(), line: z.int(), tree, old_test: z.literal(true).optional() }),
    ),
    /** Trees with one line of the task's code changed, and of the code it replaced: of the `work` and its `base`. */
    mutants: z
      .array(z.object({ path: z.string(), line: z.int(), of: z.enum(["work", "base"]), tree }))
      .optional(),
    left_out: z.array(z.object({ path: z.string(), because: z.string() })),
  }),
  z.object({
    type: z.literal("proof_gate_end"),
    task,
    part: z.enum(proofParts),
    ...gateRun,
    planted: z.array(z.string()).optional(),
    /** The output says that files could not be loaded or compiled. */
    is_load_error: z.boolean(),
  }),
  /** The test writer is asked once about one check; it costs no iteration and keeps the implementation. */
  z.object({
    type: z.literal("proof_asked"),
    task,
    tree,
    check: ProofCheck,
    feedback: z.string(),
  }),
  z.object({
    type: z.literal("proof_judged"),
    task,
    tree,
    findings: z.array(ProofFinding),
    figures: ProofFigures,
  }),
] as const;
