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

type MigrateOptions = { from?: string; dryRun?: boolean; force?: boolean };

const help = `
compound       compound.config.json becomes .ralph/ralph.yml, with a gate for
               each of its checks; the prd.json of its output folder becomes
               .ralph/prd.json
user-stories   a list of user stories (snarktank/ralph and its kin), or of
               stories, items or features, becomes .ralph/prd.json

omx            the plan below .omx/plans, else .omx/prd.json; older files
               are brought into their present form, and stay
omc            the stories in .omc/prd.json
claude-ralph   the queue in .claude/ralph/task-queue-*.json
agent-teams    the *.code-task.md files of the plan, with what blocks what

What has passed there has passed here.

To go on with a list where it is, no migration is needed: set task_source.path
to it, and passes are written back under its own ids.

Examples:
  ralph migrate                          look at this folder
  ralph migrate scripts/ralph/prd.json --dry-run
  ralph migrate ../old --from compound`;

/** `ralph migrate`: the files of other tools become ours (compatibility 1.22 and 7). */
export function addMigrate(program: Command, host: CommandHost): void {
  const command = program
    .command("migrate")
    .summary("take over configuration and tasks of another tool")
    .description(
      "Writes .ralph/ralph.yml and .ralph/prd.json from the files of another tool, which stay as they are.",
    )
    .argument("[path]", "a file, or the folder to look in; default: this one")
    .addOption(
      new Option("--from <tool>", "what to take over; default: what is there").choices([
        "compound",
        "user-stories",
        ...dialects.map(({ name }) => name),
      ]),
    )
    .option("--dry-run", "show what would be written and write nothing")
    .option("-f, --force", "replace existing files; the old ones stay as .bak")
    .addHelpText("after", help);
  addAction(command, host, migrate);
}

const migrate: Action<MigrateOptions> = async (context, options) => {
  const { system, output, directory, args } = context;
  const root = await findRoot(system, directory);
  const found = await findMigration(system, { path: args[0], from: options.from, directory });
  const migration = await readMigration(context, { found, root });
  const { targets, warnings } = migration;
  const written = options.dryRun
    ? undefined
    : await writeTargets(system, targets, { force: options.force === true });
  for (const warning of warnings) output.problem(`Warning: ${renderProblem(warning)}`);
  if (output.wantsJson) output.json(migrationJson(migration, written));
  else output.result(renderMigration(migration, written));
  return 0;
};

type Taking = { found: MigrationSource | DialectSource; root: string };

function readMigration(
  { system, directory }: Parameters<typeof migrate>[0],
  { found, root }: Taking,
): Promise<Migration> {
  const place = { system, root, directory };
  if (found.kind === "dialect") return migrateDialect(place, found);
  return found.kind === "compound" ? migrateCompound(place, found) : migrateList(place, found);
}

/** What was taken over, and what to do next. Without `written` nothing was. */
function renderMigration(migration: Migration, written: WrittenFiles | undefined): string {
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
function migrationJson(migration: Migration, written: WrittenFiles | undefined): object {
  const { source, targets, prd, warnings } = migration;
  const files = targets.map((target) => {
    const backup = written && backupOf(written, target);
    return { path: target.shown, ...(backup !== undefined && { backup }), content: target.content };
  });
  return { source, written: written !== undefined, files, warnings, tasks: prd?.tasks.length ?? 0 };
}
