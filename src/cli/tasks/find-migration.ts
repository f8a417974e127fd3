import { basename, dirname, join, resolve } from "node:path/posix";
import type { Dialect } from "../../dialects/dialect.ts";
import { dialects } from "../../dialects/dialects.ts";
import { readForeign } from "../../entry/foreign-tree.ts";
import { RalphError } from "../../error.ts";
import type { System } from "../../platform/system.ts";

/** A compound-product configuration or another tool's task list. `path` is absolute. */
export type MigrationSource = { kind: "compound" | "user-stories"; path: string; shown: string };

/** A folder with state files of another tool. `path` is absolute, `shown` is the name for the user. */
export type DialectSource = { kind: "dialect"; dialect: Dialect; path: string; shown: string };

const configName = "compound.config.json";

/** Usual paths of such lists. */
const listNames = [
  "prd.json",
  "scripts/ralph/prd.json",
  "scripts/compound/prd.json",
  "ralph/prd.json",
  "tasks/prd.json",
];

/** Finds the files to migrate at a path. Exit 1 when there are none, or none of the requested tool. */
export async function findMigration(
  system: Pick<System, "files">,
  {
    path = ".",
    from,
    directory,
  }: { path: string | undefined; from: string | undefined; directory: string },
): Promise<MigrationSource | DialectSource> {
  const absolute = resolve(directory, path);
  const named = dialects.find(({ name }) => name === from);
  if (named) return { kind: "dialect", dialect: named, path: absolute, shown: path };
  return (
    (await findList(system, { path, from, absolute })) ??
    (await findState(system, { path, absolute }))
  );
}

async function findList(
  system: Pick<System, "files">,
  { path, from, absolute }: { path: string; from: string | undefined; absolute: string },
): Promise<MigrationSource | undefined> {
  const stat = await system.files(dirname(absolute)).stat(basename(absolute));
  const isFolder = stat?.kind === "folder" || absolute === "/";
  const name = (each: string) => (path === "." ? each : join(path, each));
  if (!isFolder) {
    const kind = (from ??
      (basename(path) === configName ? "compound" : "user-stories")) as MigrationSource["kind"];
    return { kind, path: absolute, shown: path };
  }
  const wanted = [
    ...(from === "user-stories" ? [] : [{ kind: "compound" as const, file: configName }]),
    ...(from === "compound"
      ? []
      : listNames.map((file) => ({ kind: "user-stories" as const, file }))),
  ];
  const files = system.files(absolute);
  for (const { kind, file } of wanted) {
    if ((await files.stat(file))?.kind !== "file") continue;
    return { kind, path: join(absolute, file), shown: name(file) };
  }
  if (from === undefined) return undefined;
  throw nothingThere(
    path,
    wanted.map(({ file }) => file),
  );
}

/** The first tool whose state files hold tasks. */
async function findState(
  system: Pick<System, "files">,
  { path, absolute }: { path: string; absolute: string },
): Promise<DialectSource> {
  for (const dialect of dialects) {
    const { tree, problems } = await readForeign(system.files(absolute), dialect);
    const isThere = problems.length > 0 || dialect.tasks(tree) !== undefined;
    if (isThere) return { kind: "dialect", dialect, path: absolute, shown: path };
  }
  throw nothingThere(path, [configName, ...listNames, "state files of another tool"]);
}

const nothingThere = (path: string, looked: readonly string[]) =>
  new RalphError("config", {
    message: `${path} holds nothing to migrate: no ${looked.join(", no ")}.`,
    remedy:
      "Name the file or folder and the tool: `ralph migrate PATH --from TOOL`. `ralph migrate --help` lists the tools.",
  });
