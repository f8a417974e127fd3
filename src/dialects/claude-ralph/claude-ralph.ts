import { errorAt, type Finding, warningAt } from "../../schema/base/finding.ts";
import type { Dialect, ForeignTree } from "../dialect.ts";
import { notJson, parseText } from "../json-text.ts";
import { cancelClaudeRalph } from "./cancel.ts";
import { claudeRalphFileAt, folder } from "./paths.ts";
import { plansIn } from "./plans.ts";
import { readClaudeRalphRuns } from "./read.ts";
import { renderClaudeRalph } from "./render.ts";
import { checkAgent, checkProgress, checkQueue, checkRetries } from "./schema/rules.ts";
import { keepPlanAside, settleClaudeRalph } from "./settle.ts";
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

/** All findings in one file, including a mismatch between its name and its content. */
export function checkClaudeRalphFile(path: string, text: string): readonly Finding[] {
  const file = claudeRalphFileAt(path);
  if (!file) return [];
  const value = parseText(text);
  if (value === undefined) return [notJson];
  const { data, findings } = checks[file.kind](value);
  if (!data) return findings;
  const [key, named] = file.kind === "agent" ? ["agent_id", file.agent] : ["plan_id", file.plan];
  if (named === undefined || data[key] === named) return findings;
  const odd = `is ${JSON.stringify(data[key])}, though the file is named for ${JSON.stringify(named)}`;
  return [...findings, warningAt([key as string], odd)];
}

/** Names of tasks that are not in their queue. */
export function checkClaudeRalphTree(tree: ForeignTree): (Finding & { file: string })[] {
  return plansIn(tree).flatMap(({ queue, retries, agents }) => {
    if (!queue) return [];
    const ids = new Set(queue.data.tasks.map(({ id }) => id));
    const message = (id: string) => `names "${id}", which is not a task of ${queue.path}`;
    const unknownRetries = (retries?.data.retries ?? []).flatMap(({ task_id: id }, at) =>
      ids.has(id)
        ? []
        : [{ ...errorAt(["retries", at, "task_id"], message(id)), file: retries?.path ?? "" }],
    );
    const unknownTasks = agents.flatMap(({ path, data: { task_id: id } }) =>
      id === null || ids.has(id) ? [] : [{ ...warningAt(["task_id"], message(id)), file: path }],
    );
    return [...unknownRetries, ...unknownTasks];
  });
}
