import type { Dialect } from "../dialect.ts";
import { cancelClaudeRalph } from "./cancel.ts";
import { checkClaudeRalphFile, checkClaudeRalphTree } from "./check.ts";
import { archiveImportedPlan } from "./keep-taken.ts";
import { claudeRalphFileAt, folder } from "./paths.ts";
import { readClaudeRalphRuns } from "./read.ts";
import { renderClaudeRalph } from "./render.ts";
import { claudeRalphTasks } from "./tasks.ts";

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
  tasks: claudeRalphTasks,
  onImport: archiveImportedPlan,
};
