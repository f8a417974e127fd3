import type { Problem } from "../error.ts";
import type { Environment, Files } from "../platform/system.ts";
import { checkClosed, conclude } from "../schema/base/check-shape.ts";
import { isRecord } from "../schema/base/is-record.ts";
import { checkConfig } from "../schema/config/check-config.ts";
import { type Config, configFile } from "../schema/config/config.ts";
import { type ConfigDefaults, Organization } from "../schema/config/organization.ts";
import type { Refusal } from "./accept-source.ts";
import { acceptSource } from "./accept-source.ts";
import { parseYaml } from "./parse-yaml.ts";
import type { Locate } from "./parsed-text.ts";
import { readSource } from "./read-source.ts";

/** Limit for the YAML parser; a configuration has a few hundred lines (T61). */
const maxBytes = 64 * 1024;

/** A valid configuration, its warnings, and the positions of its keys. */
export type ConfigFile = { config: Config; warnings: Problem[]; locate: Locate };

/** The path of the configuration: an option, else RALPH_CONFIG, else the default one. */
export const configPathOf = (env: Environment, asked: string | undefined): string =>
  asked ?? (env.RALPH_CONFIG || configFile);

/** Reads and checks `.ralph/ralph.yml`. Callers may trust the result. */
export async function readConfig(files: Pick<Files, "read">, file: string): Promise<ConfigFile> {
  const missing: Refusal = {
    reason: "config",
    file,
    remedy: "Run `ralph init` to write one, or name another with `--config`.",
  };
  return parseConfig(await readSource(files, { maxBytes, missing }), file);
}

/** A session reads its configuration from the work tree and from its start commit, as a rule with the same bytes. */
let lastParsed: { bytes: Uint8Array; file: string; result: ConfigFile } | undefined;

/** Checks the bytes of a configuration; `defaults` replace keys that it leaves out. One error lists all problems. */
export function parseConfig(
  bytes: Uint8Array,
  file: string,
  defaults?: ConfigDefaults,
): ConfigFile {
  if (defaults) return parseWith(bytes, file, defaults);
  if (lastParsed?.file !== file || Buffer.compare(lastParsed.bytes, bytes) !== 0) {
    lastParsed = { bytes, file, result: parseWith(bytes, file, {}) };
  }
  return lastParsed.result;
}

function parseWith(bytes: Uint8Array, file: string, defaults: ConfigDefaults): ConfigFile {
  const refusal: Refusal = {
    reason: "config",
    file,
    remedy: `Correct ${file} at the places above, then run \`ralph validate --config ${file}\`.`,
  };
  const parsed = parseYaml({ bytes, file, maxBytes });
  const check = (value: unknown) => checkConfig(withDefaults(withoutNulls(value), defaults));
  const { data: config, warnings } = acceptSource(parsed, { check, refusal });
  const locate: Locate = (path) =>
    parsed.kind === "parsed" ? parsed.locate(path) : { line: 1, column: 1 };
  return { config, warnings, locate };
}

function withDefaults(value: unknown, defaults: ConfigDefaults): unknown {
  if (!isRecord(value)) return value;
  const sections = Object.entries(defaults).map(([name, section]): [string, unknown] => {
    const own = value[name];
    return [name, own === undefined || isRecord(own) ? { ...section, ...own } : own];
  });
  return { ...value, ...Object.fromEntries(sections) };
}

/** Treats a key with an empty value as absent. The key itself stays, so that an unknown one is still reported. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => [
    key,
    member === null ? undefined : withoutNulls(member),
  ]);
  return Object.fromEntries(entries);
}

/** Where an owner's `.github` repository has the file. */
export const organizationPath = ".ralph/organization.yml";

/** Checks the bytes of an owner's settings; `file` names them in errors. One error lists all problems (exit 1). */
export function parseOrganization(bytes: Uint8Array, file: string): Organization {
  const remedy = "Correct the file at the places above; until then nothing starts.";
  const refusal = { reason: "config", file, remedy } as const;
  const parsed = parseYaml({ bytes, file, maxBytes });
  const check = (value: unknown) => conclude(checkClosed(Organization, value), []);
  return acceptSource(parsed, { check, refusal }).data;
}
