import { type Problem, renderProblem } from "../../error.ts";
import { findTaskPath } from "../../session/open/find-task-path.ts";
import { requireBase, requireOwnBranch } from "../../session/open/require-branches.ts";
import { readTaskFile } from "../../sources/task-file.ts";
import { counted } from "../../text/figures.ts";
import { type Check, pass, warningResult } from "../check.ts";

/** Checks that a run accepts the configuration, with the changes from the environment. */
export const configuration: Check = {
  name: "configuration",
  needs: [],
  run: async (context) => {
    const { warnings } = await context.config();
    const path = context.configPath;
    if (warnings.length === 0) return pass(`${path} is valid`, { path });
    return warningResult(
      [`${path} is valid, but:`, ...warnings.map((line) => `  ${line}`)].join("\n"),
      {
        path,
        remedy: `Fix ${path} at these places.`,
      },
    );
  },
};

/** Checks that `git.base_branch` exists; otherwise no run starts. */
export const baseBranchCheck: Check = {
  name: "base-branch",
  needs: ["config", "repo"],
  run: async ({ system, root, config }) => {
    const { git } = (await config()).config;
    await requireBase(system, { root, git });
    return pass(`${git.base_branch} exists`);
  },
};

/** Checks that the task list is valid, not empty, and for a branch of its own. */
export const tasks: Check = {
  name: "tasks",
  needs: ["config"],
  run: async (context) => {
    const { config } = await context.config();
    const source = config.task_source;
    const path = await findTaskPath(context.system, context.root, { source });
    const { prd, warnings } = await readTaskFile(context.system.files(context.root), path);
    requireOwnBranch(config, prd);
    const open = prd.tasks.filter(({ passes }) => !passes).length;
    const summary = `${path}: ${counted(prd.tasks.length, "task")}, ${open} open`;
    if (prd.tasks.length === 0) {
      return warningResult(summary, {
        path,
        remedy: "Add a task; `ralph run` refuses an empty list.",
      });
    }
    if (warnings.length === 0) return pass(summary, { path });
    return warningResult([`${summary}, but:`, ...warnings.map(remark)].join("\n"), {
      path,
      remedy: "Check these places; a run starts anyway.",
    });
  },
};

const remark = (problem: Problem) => `  ${renderProblem(problem)}`;
