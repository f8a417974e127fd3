import type { Problem } from "../../error.ts";
import type { WrittenFiles } from "../../scaffold/write/write-files.ts";
import type { Prd } from "../../schema/tasks/prd.ts";
import { counted } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { backupOf, type WriteTarget } from "./write-targets.ts";

type ImportOutcome = {
  prd: Prd;
  source: string;
  target: WriteTarget;
  warnings: readonly Problem[];
  options: { preserveIds?: boolean };
  hasConfig: boolean;
};

/** The imported tasks with their original ids, the file, and the next step. Without `written`, a dry run. */
export function renderImport(outcome: ImportOutcome, written: WrittenFiles | undefined): string {
  const { prd, source, target } = outcome;
  const count = counted(prd.tasks.length, "task");
  const head = written
    ? `${target.shown}: ${count} from ${source}${writeRemark(written, target)}`
    : `${count} from ${source} would go to ${target.shown}. Nothing was written.`;
  const branch = prd.branchName === undefined ? [] : [`Branch: ${prd.branchName}`];
  return [head, ...renderImportedTasks(prd), ...branch, ...(written ? [next(outcome)] : [])].join(
    "\n",
  );
}

function writeRemark(written: WrittenFiles, target: WriteTarget): string {
  if (written.same.length > 0) return ", unchanged.";
  const backup = backupOf(written, target);
  return backup === undefined
    ? "."
    : `; the old list is ${backup.slice(backup.lastIndexOf("/") + 1)}.`;
}

export function renderImportedTasks({ tasks, metadata }: Prd): string[] {
  const names = new Map(Object.entries(metadata?.idMap ?? {}));
  return tasks.map(({ id, title, priority, passes }) => {
    const from = names.get(id);
    const origin = from === undefined ? "" : `  (${plainLine(String(from))})`;
    const done = passes ? "passed, " : "";
    return `  ${plainLine(id)}  ${done}priority ${priority}  ${plainLine(title)}${origin}`;
  });
}

function next({ options, target, hasConfig }: ImportOutcome): string {
  if (options.preserveIds) {
    return "`ralph run` does not accept a list with original ids; import it without --preserve-ids to run it.";
  }
  if (!hasConfig) return "Next: ralph init, which writes the configuration.";
  return `Next: ralph validate --tasks ${target.shown}, then commit it.`;
}

/** The same as JSON. */
export function importJson(outcome: ImportOutcome, written: WrittenFiles | undefined): object {
  const { prd, source, target, warnings } = outcome;
  const backup = written && backupOf(written, target);
  return {
    source,
    output: target.shown,
    written: written !== undefined && written.same.length === 0,
    ...(backup !== undefined && { backup }),
    warnings,
    prd,
  };
}
