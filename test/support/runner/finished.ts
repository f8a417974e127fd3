import type { Conclusion, JobResult, Texts } from "./model.ts";

/** One entry of a workflow's jobs after its end, with all that ran for it. */
export interface Finished {
  result: Conclusion;
  outputs: Texts;
  jobs: JobResult[];
}

/** Several entries as one: the jobs of a matrix, of a called workflow, of a run. */
export function merge(parts: readonly Finished[]): Finished {
  return {
    result: worstOf(parts.map(({ result }) => result)),
    outputs: Object.assign({}, ...parts.map(({ outputs }) => outputs)),
    jobs: parts.flatMap(({ jobs }) => jobs),
  };
}

function worstOf(results: readonly Conclusion[]): Conclusion {
  const order = ["failure", "cancelled", "success"] as const;
  return order.find((one) => results.includes(one)) ?? "skipped";
}
