import { basename, dirname, join, resolve } from "node:path/posix";
import type { Dialect } from "../../dialects/dialect.ts";
import { dialects } from "../../dialects/dialects.ts";
import { readForeign } from "../../entry/foreign-tree.ts";
import { RalphError } from "../../error.ts";
import type { System } from "../../platform/system.ts";

/** What is taken over: the absolute path of a configuration of compound-product, or of a list of another tool. */
export type MigrationSource = { kind: "compound" | "user-stories"; path: string; shown: string };

/** The folder whose state files are taken over, absolute, and its name for people. */
export type DialectSource = { kind: "dialect"; dialect: Dialect; path: string; shown: string };

type Asked = { path: string | undefined; from: string | undefined; directory: string };

const configName = "compound.config.json";

/** Where such lists lie in repositories that use these tools. */
const listNames = [
  "prd.json",
  "scripts/ralph/prd.json",
  "scripts/compound/prd.json",
  "ralph/prd.json",
  "tasks/prd.json",
];

/** What there is to take over at a path. Nothing, or something else than was asked for: exit 1. */
export async function findMigration(
  system: Pick<System, "files">,
  { path = ".", from, directory }: Asked,
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
    message: `There is nothing to take over in ${path}: no ${looked.join(", no ")}.`,
    remedy:
      "Name the file or folder, and the tool: `ralph migrate PATH --from TOOL`; `ralph migrate --help` lists them.",
  });
