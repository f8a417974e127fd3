import type { ForeignLook, SeenForeign } from "../../entry/foreign-runs.ts";
import { renderProblem, visible } from "../../error.ts";

/** What other tools say they do in this project, for people; empty when they say nothing. */
export function renderOthers({ runs, problems }: ForeignLook): string {
  const told = runs.map(
    ({ dialect, run }) => `Other    ${dialect.name}: ${standOf(run)} (${visible(run.path)})`,
  );
  const broken = problems.map((problem) => `Warning  ${renderProblem(problem)}`);
  return [...told, ...broken].join("\n");
}

function standOf({ id, isActive, phase, detail }: SeenForeign["run"]): string {
  const named = id === undefined ? "" : `${id} `;
  const isOver = phase === "complete" || phase === "failed" || phase === "cancelled";
  const stand = isActive || isOver ? phase : `${phase}, but nobody works on it any more`;
  return `${named}${stand}, ${detail}`;
}

/** The same for programs. */
export const othersJson = ({ runs, problems }: ForeignLook): object => ({
  others: runs.map(({ dialect, run: { isActive, ...run } }) => ({
    tool: dialect.name,
    active: isActive,
    ...run,
  })),
  broken: problems,
});
