import type { Dialect } from "../dialect.ts";
import { cancelRuns } from "./cancel.ts";
import { checkFile, checkTogether } from "./check.ts";
import { fileAt } from "./paths.ts";
import { readRuns } from "./read.ts";
import { renderRun } from "./render.ts";
import { renewFiles } from "./renew.ts";
import { tasksOf } from "./tasks.ts";

/** The state files of OMX, below `.omx` (specs 000). Our sessions stand in scopes of their own, by their ids. */
export const omx: Dialect = {
  name: "omx",
  owns: (path) => fileAt(path) !== undefined,
  folders: [".omx"],
  render: renderRun,
  check: checkFile,
  checkTree: checkTogether,
  read: readRuns,
  cancel: cancelRuns,
  tasks: tasksOf,
  renew: renewFiles,
};
