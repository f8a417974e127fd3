import type { Dialect } from "../dialect.ts";
import { cancelOmx } from "./cancel.ts";
import { checkOmxFile, checkOmxTogether } from "./check.ts";
import { omxFileAt } from "./paths.ts";
import { readOmxRuns } from "./read.ts";
import { renderOmx } from "./render.ts";
import { renewFiles } from "./renew.ts";
import { omxTasks } from "./tasks.ts";

/** The state files of OMX, below `.omx` (specs 000). Our sessions stand in scopes of their own, by their ids. */
export const omx: Dialect = {
  name: "omx",
  owns: (path) => omxFileAt(path) !== undefined,
  folders: [".omx"],
  render: renderOmx,
  check: checkOmxFile,
  checkTree: checkOmxTogether,
  read: readOmxRuns,
  cancel: cancelOmx,
  tasks: omxTasks,
  renew: renewFiles,
};
