import type { Dialect } from "../dialect.ts";
import { cancelRuns } from "./cancel.ts";
import { checkFile, checkTogether } from "./check.ts";
import { keepTaken } from "./keep-taken.ts";
import { fileAt, folder } from "./paths.ts";
import { readRuns } from "./read.ts";
import { renderRun } from "./render.ts";
import { tasksOf } from "./tasks.ts";

/** The plan queue below `.claude/ralph` (specs 001). A session is a plan, named for its branch. */
export const claudeRalph: Dialect = {
  name: "claude-ralph",
  owns: (path) => fileAt(path) !== undefined,
  folders: [folder],
  render: renderRun,
  check: checkFile,
  checkTree: checkTogether,
  read: readRuns,
  cancel: cancelRuns,
  tasks: tasksOf,
  renew: keepTaken,
};
