import type { AddCommand } from "./core/command.ts";
import { addHook } from "./hooks/hook.ts";
import { addInit } from "./init/init.ts";
import { addAudit } from "./status/audit.ts";
import { addCancel } from "./status/cancel.ts";
import { addClean } from "./status/clean.ts";
import { addReport } from "./status/report.ts";
import { addScan } from "./status/scan.ts";
import { addStatus } from "./status/status.ts";
import { addExport } from "./tasks/export.ts";
import { addImport } from "./tasks/import.ts";
import { addMigrate } from "./tasks/migrate.ts";
import { addValidate } from "./validate/validate.ts";

export { showNextStep } from "./init/next-step.ts";

/** Commands that read or write a project's files. */
export const lookingCommands: Record<string, AddCommand> = {
  init: addInit,
  scan: addScan,
  status: addStatus,
  cancel: addCancel,
  validate: addValidate,
  import: addImport,
  export: addExport,
  migrate: addMigrate,
  report: addReport,
  audit: addAudit,
  clean: addClean,
  hook: addHook,
};
