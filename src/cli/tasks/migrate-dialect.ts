import { basename, join } from "node:path/posix";
import type { Dialect, ForeignTasks } from "../../dialects/dialect.ts";
import { type BrokenFile, brokenFilesError, restoreHint } from "../../entry/broken-files.ts";
import { checkForeignText, readForeign } from "../../entry/foreign-tree.ts";
import { lastGood } from "../../entry/open-dialects.ts";
import { type Problem, RalphError } from "../../error.ts";
import { renderPrdFile } from "../../scaffold/write/render-prd.ts";
import { renderPath } from "../../schema/base/finding.ts";
import { checkForeignList } from "../../schema/tasks/foreign/check-foreign-list.ts";
import type { Prd } from "../../schema/tasks/prd.ts";
import { locateStore } from "../../session/open/locate-project.ts";
import { limitProblems, sourceError } from "../../sources/accept-source.ts";
import { parseJson } from "../../sources/parse-json.ts";
import type { Locate } from "../../sources/parsed-text.ts";
import type { DialectSource } from "./find-migration.ts";
import type { Migration, MigrationPlace } from "./migration.ts";
import { targetAt } from "./write-targets.ts";

const taskFile = ".ralph/prd.json";

/** Converts the tasks of another tool and upgrades its older files. A broken file stops the migration (design 9.3). */
export async function migrateDialect(
  place: MigrationPlace,
  { dialect, path: folder, shown }: DialectSource,
): Promise<Migration> {
  const { system, root } = place;
  const { tree, problems, warnings } = await readForeign(system.files(folder), dialect);
  if (problems.length > 0) throw await brokenState(place, { dialect, folder, problems });
  const tasks = dialect.tasks(tree);
  const now = new Date(system.clock.now()).toISOString();
  const renewed = (dialect.onImport?.(tree, now) ?? []).flatMap((file) =>
    "text" in file && file.text !== undefined
      ? [targetAt(join(folder, file.path), { ...place, content: file.text })]
      : [],
  );
  if (!tasks && renewed.length === 0) throw nothingThere(dialect, shown);
  const taken =
    tasks && convertList(tasks, { project: basename(root), text: tree.get(tasks.path) });
  const list = taken
    ? [targetAt(join(root, taskFile), { ...place, content: renderPrdFile(taken.prd) })]
    : [];
  return {
    source: tasks ? join(shown, tasks.path) : shown,
    targets: [...list, ...renewed],
    prd: taken?.prd,
    warnings: [...warnings, ...(taken?.warnings ?? [])],
  };
}

/** `text`: the content of the list file, for line and column of problems; undefined when the list has no file. */
function convertList(
  { path, list }: ForeignTasks,
  { project, text }: { project: string; text: string | undefined },
): { prd: Prd; warnings: Problem[] } {
  const locate = locatorFor(path, text);
  const about = { kind: "list", source: "imported-prd", file: path, project } as const;
  const { data, findings } = checkForeignList(list, about);
  const of = (wanted: "error" | "warning"): Problem[] =>
    findings
      .filter(({ severity }) => severity === wanted)
      .map((each) => ({
        file: path,
        ...locate(each.path),
        message: `${renderPath(each.path)} ${each.message}`,
      }));
  if (data && data.tasks.length > 0) return { prd: data, warnings: of("warning") };
  const problems = data ? [{ file: path, message: "has no tasks" }] : of("error");
  throw sourceError(limitProblems(problems, path), {
    reason: "source",
    file: path,
    remedy: `Fix ${path}, then migrate again. Nothing was written.`,
  });
}

function locatorFor(file: string, text: string | undefined): Locate | (() => object) {
  const isJson = text !== undefined && file.endsWith(".json");
  const parsed = isJson
    ? parseJson({ bytes: Buffer.from(text), file, maxBytes: text.length * 4 })
    : undefined;
  return parsed?.kind === "parsed" ? parsed.locate : () => ({});
}

/** An error that names every broken file and how to restore it. */
async function brokenState(
  { system, root }: MigrationPlace,
  { dialect, folder, problems }: { dialect: Dialect; folder: string; problems: readonly Problem[] },
): Promise<RalphError> {
  const store = folder === root ? await locateStore(system, root) : undefined;
  const broken: BrokenFile[] = [];
  for (const [path, own] of Map.groupBy(problems, ({ file }) => file)) {
    const isSound = (text: string) => checkForeignText(dialect, path, text).problems.length === 0;
    const commit = store && (await lastGood(system, store, { path, isSound }));
    broken.push({ tool: dialect.name, path, problems: own, remedy: restoreHint(path, commit) });
  }
  return brokenFilesError(broken);
}

const nothingThere = ({ name, folders }: Dialect, shown: string) =>
  new RalphError("config", {
    message: `${shown} holds no tasks of ${name}; searched: ${folders.map((folder) => (folder === "" ? "." : folder)).join(", ")}.`,
    remedy:
      "Name the folder that holds them: `ralph migrate PATH --from TOOL`. Links are not followed.",
  });
