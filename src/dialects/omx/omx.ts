import type { Dialect } from "../dialect.ts";
import { cancelOmx } from "./cancel.ts";
import { checkOmxFile, checkOmxTree } from "./check.ts";
import { omxFileAt } from "./paths.ts";
import { readOmxRuns } from "./read.ts";
import { renderOmx } from "./render.ts";
import { settleOmx } from "./settle.ts";
import { omxTasks } from "./tasks.ts";
import { upgradeFiles } from "./upgrade.ts";

/** The state files of OMX, below `.omx` (specs 000). Each ralph session has its own scope, by its id. */
export const omx: Dialect = {
  name: "omx",
  owns: (path) => omxFileAt(path) !== undefined,
  folders: [".omx"],
  render: renderOmx,
  check: checkOmxFile,
  checkTree: checkOmxTree,
  read: readOmxRuns,
  cancel: cancelOmx,
  settle: settleOmx,
  tasks: omxTasks,
  onImport: upgradeFiles,
};
