import { readSecretFile } from "../../src/platform/secrets/secret-file.ts";
import type { Environment } from "../../src/platform/system.ts";

const line = /^(?:export )?([A-Z][A-Z0-9_]*)=(.*)$/;
const maxValue = 16 * 1024;

/** The folder with all data of the App on the disk. */
export const dataFolderOf = (env: Environment): string =>
  env.RALPH_DATA_DIR?.trim() ||
  `${env.XDG_STATE_HOME || `${env.HOME || "/tmp"}/.local/state`}/ralph-app`;

/** The file with the settings: `npm run app -- setup` writes it, and every start reads it. */
export const appEnvPath = (env: Environment): string =>
  env.RALPH_APP_ENV?.trim() || `${dataFolderOf(env)}/app.env`;

/**
 * The environment merged with the settings file; set variables take precedence. The file is optional unless a variable
 * names it, and refused if others can read it.
 */
export function readAppEnv(env: Environment, problems: string[]): Environment {
  const path = appEnvPath(env);
  const file = readSecretFile(path);
  if (file.kind === "read") {
    return { ...parseAppEnv(file.text, { path, problems }), ...withoutEmpty(env) };
  }
  if (file.kind === "open") {
    problems.push(`${path} can be read by others on this machine: \`chmod 600 ${path}\`.`);
  } else if (env.RALPH_APP_ENV?.trim()) {
    problems.push(`RALPH_APP_ENV: there is no file ${path}.`);
  }
  return env;
}

const withoutEmpty = (env: Environment) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()));

type ParsedFile = { path: string; problems: string[] };

/** Parses `NAME=value` lines; skips comments and empty lines, and removes quotes around a value. Pure. */
export function parseAppEnv(text: string, { path, problems }: ParsedFile): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [index, each] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(each)) continue;
    const [, name, value = ""] = line.exec(each.trim()) ?? [];
    // Do not print the line, which may contain a secret.
    if (name === undefined) problems.push(`${path}:${index + 1}: expected NAME=value.`);
    else found[name] = value.replace(/^(["'])(.*)\1$/, "$2");
  }
  return found;
}

/** Renders such a file; line breaks, as in a key, become `\n`. Pure. */
export function renderAppEnv(values: Readonly<Record<string, string>>): string {
  const lines = Object.entries(values).map(([name, value]) => {
    const flat = value.trim().replaceAll(/\r?\n/g, "\\n");
    if (flat.length > maxValue || /[\0\r\n]/.test(flat))
      throw new Error(`${name} cannot be stored as a setting.`);
    return `${name}=${flat}`;
  });
  return `${lines.join("\n")}\n`;
}
