import type { WrittenFiles } from "../../scaffold/write/write-files.ts";
import { counted } from "../../text/figures.ts";
import { renderImportedTasks } from "./import-text.ts";
import type { Migration } from "./migration.ts";
import { backupOf, type WriteTarget } from "./write-targets.ts";

/** What was taken over, and what to do next. Without `written` nothing was. */
export function renderMigration(migration: Migration, written: WrittenFiles | undefined): string {
  const { source, targets, prd } = migration;
  const names = targets.map(({ shown }) => shown);
  const isConfig = names.some((name) => name.endsWith("ralph.yml"));
  const head = written
    ? `From ${source}:`
    : `From ${source}, if it were not for --dry-run (nothing was written):`;
  const lines = targets.map((target) => {
    return `  ${target.shown}${written ? became(written, target) : ""}`;
  });
  const tasks = prd ? [`${counted(prd.tasks.length, "task")}:`, ...renderImportedTasks(prd)] : [];
  const steps = isConfig ? "Next: read ralph.yml, ralph validate" : "Next: ralph validate";
  return [head, ...lines, ...tasks, ...(written ? [`${steps}, then commit.`] : [])].join("\n");
}

function became(written: WrittenFiles, target: WriteTarget): string {
  const { base, path } = target;
  if (written.same.some((file) => file.base === base && file.path === path)) {
    return "  (as it was already)";
  }
  const backup = backupOf(written, target);
  return backup === undefined ? "" : `  (the old one: ${backup})`;
}

/** The same for programs. */
export function migrationJson(migration: Migration, written: WrittenFiles | undefined): object {
  const { source, targets, prd, warnings } = migration;
  const files = targets.map((target) => {
    const backup = written && backupOf(written, target);
    return { path: target.shown, ...(backup !== undefined && { backup }), content: target.content };
  });
  return { source, written: written !== undefined, files, warnings, tasks: prd?.tasks.length ?? 0 };
}
