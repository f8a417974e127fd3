import { parse } from "yaml";
import { renderWorkflow } from "../../../src/scaffold/write/render-workflow.ts";
import { blocksOf } from "../../docs/pages.ts";
import { sampled } from "../../setup/sampled.ts";

type Step = { uses?: string };
type Job = { uses?: string; permissions?: object; secrets?: object; steps?: Step[] };
export type NightlyWorkflow = { on: object; permissions: object; jobs: Record<string, Job> };

/** Whether a workflow calls ralph for a task list: as a reusable workflow, or as a step. */
function callsRalph(code: string, how: "workflow" | "step"): boolean {
  const jobs = Object.values((parse(code) as NightlyWorkflow).jobs ?? {});
  return jobs.some(({ uses, steps = [] }) =>
    how === "workflow"
      ? uses?.includes("/ralph.yml@")
      : steps.some((step) => step.uses?.startsWith("org/ralph-action@")),
  );
}

const shown = (how: "workflow" | "step") =>
  blocksOf("yaml").find(({ code }) => callsRalph(code, how))?.code ?? "";

const written = renderWorkflow({ tools: [], prefix: "", config: undefined });

/** Every text that users put into `.github/workflows/ralph.yml`. */
export const nightlyTexts = {
  "what `ralph init` writes": written,
  "the three jobs of the README": shown("workflow"),
  "the step of the documentation": shown("step"),
};

/** A night is hundreds of process starts. */
export const triedTexts = sampled(Object.entries(nightlyTexts), 1);
