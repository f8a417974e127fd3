import type { EvaluationTask as Written } from "../schema/tasks/evaluation.ts";

/** One task of an evaluation: its text for agents, their start commit, and the tests that judge the result. */
export interface PreparedTask {
  name: string;
  task: Pick<
    Written,
    "title" | "description" | "acceptanceCriteria" | "requiresTests" | "changesBehaviour" | "order"
  >;
  /** The commit on which agents start. */
  start: string;
  /** Files laid over the result, by path; undefined removes one. Agents never see them. */
  hidden: ReadonlyMap<string, Buffer | undefined>;
  isImpossible: boolean;
}
