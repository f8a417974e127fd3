import { type Command, Option } from "commander";
import { dialects } from "../../dialects/dialects.ts";
import { renderProblem } from "../../error.ts";
import type { WrittenFiles } from "../../scaffold/write/write-files.ts";
import { findRoot } from "../../session/open/locate-project.ts";
import { counted } from "../../text/figures.ts";
import { type Action, addAction, type CommandHost } from "../core/command.ts";
import { type DialectSource, findMigration, type MigrationSource } from "./find-migration.ts";
import { renderImportedTasks } from "./import-text.ts";
import { migrateDialect } from "./migrate-dialect.ts";
import { type Migration, migrateCompound, migrateList } from "./migration.ts";
import { backupOf, type WriteTarget, writeTargets } from "./write-targets.ts";

const help = `
compound       compound.config.json becomes .ralph/ralph.yml, with a gate for
               each of its checks; the prd.json of its output folder becomes
               .ralph/prd.json
user-stories   a list of user stories (snarktank/ralph and similar tools),
               stories, items or features becomes .ralph/prd.json

omx            the plan below .omx/plans, else .omx/prd.json; older files
               are upgraded in place
omc            the stories in .omc/prd.json
claude-ralph   the queue in .claude/ralph/task-queue-*.json
agent-teams    the *.code-task.md files of the plan, with their dependencies

Passed tasks stay passed.

You can also run such a list without migration: set task_source.path to it, and
ralph writes passes back under the list's own ids.

Examples:
  ralph migrate                          search this folder
  ralph migrate scripts/ralph/prd.json --dry-run
  ralph migrate ../old --from compound`;

/** `ralph migrate`: converts the files of other tools (compatibility 1.22 and 7). */
export function addMigrate(program: Command, host: CommandHost): void {
  const command = program
    .command("migrate")
    .summary("convert another tool's configuration and tasks")
    .description(
      "Writes .ralph/ralph.yml and .ralph/prd.json from the files of another tool, which stay unchanged.",
    )
    .argument("[path]", "file, or folder to search; default: this folder")
    .addOption(
      new Option("--from <tool>", "the other tool; default: the one that is found").choices([
        "compound",
        "user-stories",
        ...dialects.map(({ name }) => name),
      ]),
    )
    .option("--dry-run", "show the files and write nothing")
    .option("-f, --force", "replace existing files; the old ones stay as .bak")
    .addHelpText("after", help);
  addAction(command, host, migrate);
}

const migrate: Action<{ from?: string; dryRun?: boolean; force?: boolean }> = async (
  context,
  options,
) => {
  const { system, output, directory, args } = context;
  const root = await findRoot(system, directory);
  const found = await findMigration(system, { path: args[0], from: options.from, directory });
  const migration = await readMigration(context, { found, root });
  const { targets, warnings } = migration;
  const written = options.dryRun
    ? undefined
    : await writeTargets(system, targets, { force: options.force === true });
  for (const warning of warnings) output.problem(`Warning: ${renderProblem(warning)}`);
  return output.answer(migrationJson(migration, written), renderMigration(migration, written));
};

function readMigration(
  { system, directory }: Parameters<typeof migrate>[0],
  { found, root }: { found: MigrationSource | DialectSource; root: string },
): Promise<Migration> {
  const place = { system, root, directory };
  if (found.kind === "dialect") return migrateDialect(place, found);
  return found.kind === "compound" ? migrateCompound(place, found) : migrateList(place, found);
}

/** The migrated files and the next step. Without `written`, a dry run. */
function renderMigration(migration: Migration, written: WrittenFiles | undefined): string {
  const { source, targets, prd } = migration;
  const names = targets.map(({ shown }) => shown);
  const isConfig = names.some((name) => name.endsWith("ralph.yml"));
  const head = written ? `From ${source}:` : `From ${source} (dry run, nothing was written):`;
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
    return "  (unchanged)";
  }
  const backup = backupOf(written, target);
  return backup === undefined ? "" : `  (old file: ${backup})`;
}

/** The same as JSON. */
function migrationJson(migration: Migration, written: WrittenFiles | undefined): object {
  const { source, targets, prd, warnings } = migration;
  const files = targets.map((target) => {
    const backup = written && backupOf(written, target);
    return { path: target.shown, ...(backup !== undefined && { backup }), content: target.content };
  });
  return { source, written: written !== undefined, files, warnings, tasks: prd?.tasks.length ?? 0 };
}
