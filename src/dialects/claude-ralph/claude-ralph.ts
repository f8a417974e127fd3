import { errorAt, type Finding, warningAt } from "../../schema/base/finding.ts";
import { jsonValue } from "../../text/json-value.ts";
import type { Dialect, ForeignTree } from "../dialect.ts";
import { notJson } from "../json-text.ts";
import { claudeRalphFileAt, folder } from "./paths.ts";
import { plansIn, readClaudeRalphRuns } from "./plans.ts";
import { renderClaudeRalph } from "./render.ts";
import { checkAgent, checkProgress, checkQueue, checkRetries } from "./schema/rules.ts";
import { cancelClaudeRalph, keepPlanAside, settleClaudeRalph } from "./settle.ts";
import { archiveImportedPlan, claudeRalphTasks } from "./tasks.ts";

/** The plan queue below `.claude/ralph` (specs 001). A session is a plan, named for its branch. */
export const claudeRalph: Dialect = {
  name: "claude-ralph",
  owns: (path) => claudeRalphFileAt(path) !== undefined,
  folders: [folder],
  render: renderClaudeRalph,
  check: checkClaudeRalphFile,
  checkTree: checkClaudeRalphTree,
  read: readClaudeRalphRuns,
  cancel: cancelClaudeRalph,
  settle: settleClaudeRalph,
  keepAside: keepPlanAside,
  showsChangedPaths: true,
  tasks: claudeRalphTasks,
  onImport: archiveImportedPlan,
};

const checks = {
  queue: checkQueue,
  retries: checkRetries,
  progress: checkProgress,
  agent: checkAgent,
};

function checkClaudeRalphFile(path: string, text: string): readonly Finding[] {
  const file = claudeRalphFileAt(path);
  if (!file) return [];
  const value = jsonValue(text);
  if (value === undefined) return [notJson];
  const { data, findings } = checks[file.kind](value);
  if (!data) return findings;
  const [key, named] = file.kind === "agent" ? ["agent_id", file.agent] : ["plan_id", file.plan];
  if (named === undefined || data[key] === named) return findings;
  const odd = `is ${JSON.stringify(data[key])}, though the file is named for ${JSON.stringify(named)}`;
  return [...findings, warningAt([key as string], odd)];
}

function checkClaudeRalphTree(tree: ForeignTree): (Finding & { file: string })[] {
  return plansIn(tree).flatMap(({ queue, retries, agents }) => {
    if (!queue) return [];
    const ids = new Set(queue.data.tasks.map(({ id }) => id));
    const message = (id: string) => `names "${id}", which is not a task of ${queue.path}`;
    const { path: file = "", data } = retries ?? {};
    const unknownRetries = (data?.retries ?? []).flatMap(({ task_id: id }, at) =>
      ids.has(id) ? [] : [{ ...errorAt(["retries", at, "task_id"], message(id)), file }],
    );
    const unknownTasks = agents.flatMap(({ path, data: { task_id: id } }) =>
      id === null || ids.has(id) ? [] : [{ ...warningAt(["task_id"], message(id)), file: path }],
    );
    return [...unknownRetries, ...unknownTasks];
  });
}
