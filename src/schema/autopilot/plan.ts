import * as z from "zod";
import { SessionId } from "../base/fields.ts";
import { Analysis } from "./analysis.ts";

/** Parent and time of a commit, so that repeating it after a crash gives the same commit. */
export const PlannedCommit = z.object({
  parent: z.string(),
  tree: z.string(),
  date: z.string(),
  paths: z.array(z.string()),
  /** Set once the branch exists. */
  commit: z.string().optional(),
});
export type PlannedCommit = z.infer<typeof PlannedCommit>;

const Line = z.object({ first: z.int(), last: z.int() });

/** An autopilot run's statement of the commits before its session: their files and contents. */
export const AutopilotPlan = z.object({
  run_id: SessionId,
  /** Commit of the base branch. */
  base: z.string(),
  /** The path of the task list. */
  task_path: z.string(),
  analyzed: z
    .object({
      analysis: Analysis,
      /** Part of the pull request's marker. */
      fingerprint: z.string().regex(/^[0-9a-f]{1,64}$/),
      source: z.object({ path: z.string(), sha256: z.string(), lines: Line.exactOptional() }),
    })
    .optional(),
  branch: z.string().optional(),
  document: z
    .object({
      path: z.string(),
      text: z.string(),
      requirements: z.array(z.object({ id: z.string(), text: z.string() })),
      /** A person's changes to the document; they take the place of the analysis. */
      edited: z
        .object({
          description: z.string().exactOptional(),
          acceptance_criteria: z.array(z.string()).exactOptional(),
        })
        .exactOptional(),
    })
    .optional(),
  document_commit: PlannedCommit.optional(),
  list: z.string().optional(),
  list_commit: PlannedCommit.optional(),
});
export type AutopilotPlan = z.infer<typeof AutopilotPlan>;

/** The last commit of a plan, the one its session starts from; undefined before the first. */
export const planHead = ({ document_commit, list_commit }: AutopilotPlan): string | undefined =>
  list_commit?.commit ?? document_commit?.commit;
