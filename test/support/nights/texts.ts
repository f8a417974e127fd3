import { parse } from "yaml";
import { renderWorkflow } from "../../../src/scaffold/write/render-workflow.ts";
import { blocksOf } from "../../docs/pages.ts";

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

/** Every text that a user is told to put into `.github/workflows/ralph.yml`. */
export const nightlyTexts = {
  "what `ralph init` writes": written,
  "the three jobs of the README": shown("workflow"),
  "the step of the documentation": shown("step"),
};

/** A night is hundreds of process starts: a contributor's machine tries one text, CI (FC_RUNS) each. */
export const triedTexts = Object.entries(nightlyTexts).slice(
  0,
  process.env.FC_RUNS ? undefined : 1,
);
