import { openScanContext, type ScanContext } from "../../scan/scan-context.ts";
import { type CommandContext, sessionDirOf } from "./command.ts";

/** The input of checks for the folder of a command. `began` shows the commands that run. */
export const openScan = (context: CommandContext, began?: ScanContext["began"]) =>
  openScanContext(context.system, {
    ...{ directory: context.directory, signal: context.signal, config: context.globals.config },
    sessionDir: (root) => sessionDirOf(context, root),
    ...(began && { began }),
  });
