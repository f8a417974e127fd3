import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../schema/base/is-record.ts";
import { jsonValue } from "../../text/json-value.ts";

/** The texts of one manifest: as a task found it, and as its work has it. */
export type ManifestTexts = { old: string; head: string };

/** A manifest's old settings with the packages and further entry points of the work; undefined where these cannot be told apart. */
export function oldSettingsIn(path: string, texts: ManifestTexts): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  if (/^(?:package|composer|deno)\.json$/.test(name)) return mergeJson(texts);
  if (name === "cargo.toml") return mergeToml(texts, cargoPackages);
  return name === "pyproject.toml" ? mergeToml(texts, pythonPackages) : undefined;
}

/** Manifests of which packages and settings cannot be told apart: as it was, one may lack what the work needs. */
export const isMixedManifest = (path: string): boolean =>
  /(?:^|\/)(?:setup\.(?:py|cfg)|pipfile|requirements[\w.-]*\.txt|gemfile|[\w.-]+\.(?:gemspec|csproj|fsproj)|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|package\.swift|mix\.exs)$/i.test(
    path,
  );

const packageKeys =
  /^(?:\w*[dD]ependencies|workspaces|overrides|resolutions|packageManager|pnpm|require(?:-dev)?)$/;
const entryKeys = ["exports", "imports", "bin"];

function mergeJson({ old, head }: ManifestTexts): string | undefined {
  const [was, is] = [objectIn(old), objectIn(head)];
  if (!was || !is) return undefined;
  const keep = (from: object, isKept: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(from).filter(([key]) => isKept(key)));
  const isSetting = (key: string) => !packageKeys.test(key);
  const [before, after] = [keep(was, isSetting), keep(is, isSetting)];
  if (isDeepStrictEqual(before, after)) return head;
  const entries = entryKeys.flatMap((key) => {
    const [old, now] = [was[key], is[key]];
    return isRecord(old) && isRecord(now) ? [[key, { ...now, ...old }]] : [];
  });
  const merged = {
    ...before,
    ...keep(is, (key) => packageKeys.test(key)),
    ...Object.fromEntries(entries),
  };
  return `${JSON.stringify(merged, null, 2)}\n`;
}

function objectIn(text: string): Record<string, unknown> | undefined {
  const value = jsonValue(text);
  return isRecord(value) ? value : undefined;
}

const cargoPackages = /(?:^|\.)(?:(?:dev-|build-)?dependencies)(?:\.|$)|^(?:features|workspace)$/;
const pythonPackages =
  /^(?:project(?:\.optional-dependencies)?|dependency-groups|build-system|tool\.(?:poetry|uv|pdm)(?:\..*)?)$/;

/** Table by table; what comes before the first one belongs to the settings. */
function mergeToml({ old, head }: ManifestTexts, isPackages: RegExp): string {
  const tables = (text: string) => text.split(/^(?=[ \t]*\[)/m);
  const isOfPackages = (table: string) =>
    isPackages.test(/^[ \t]*\[+\s*([^\]]+?)\s*\]/.exec(table)?.[1] ?? "");
  const settingsIn = (text: string) => tables(text).filter((table) => !isOfPackages(table));
  const settings = settingsIn(old);
  if (isDeepStrictEqual(settings, settingsIn(head))) return head;
  const packages = tables(head).filter(isOfPackages);
  return [...settings, ...packages]
    .map((table) => (table.endsWith("\n") || table === "" ? table : `${table}\n`))
    .join("");
}
