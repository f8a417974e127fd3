import { basename, dirname, join, resolve } from "node:path/posix";
import { RalphError } from "../error.ts";
import type { System } from "../system/system.ts";

/** What is taken over: the absolute path of a configuration of compound-product, or of a list of another tool. */
export type Found = { kind: "compound" | "user-stories"; path: string; shown: string };

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
): Promise<Found> {
  const absolute = resolve(directory, path);
  const stat = await system.files(dirname(absolute)).stat(basename(absolute));
  const isFolder = stat?.kind === "folder" || absolute === "/";
  const name = (each: string) => (path === "." ? each : join(path, each));
  if (!isFolder) {
    const kind = (from ??
      (basename(path) === configName ? "compound" : "user-stories")) as Found["kind"];
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
  throw nothingThere(
    path,
    wanted.map(({ file }) => file),
  );
}

const nothingThere = (path: string, looked: readonly string[]) =>
  new RalphError("config", {
    message: `There is nothing to take over in ${path}: no ${looked.join(", no ")}.`,
    remedy: "Name the file: `ralph migrate PATH --from compound` or `--from user-stories`.",
  });
