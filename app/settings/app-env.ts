import { readSecretFile } from "../../src/platform/secrets/secret-file.ts";
import type { Environment } from "../../src/platform/system.ts";

const line = /^(?:export )?([A-Z][A-Z0-9_]*)=(.*)$/;
const maxValue = 16 * 1024;

/** The folder of everything the App keeps on the disk. */
export const dataFolderOf = (env: Environment): string =>
  env.RALPH_DATA_DIR?.trim() ||
  `${env.XDG_STATE_HOME || `${env.HOME || "/tmp"}/.local/state`}/ralph-app`;

/** Where `npm run app -- setup` writes the settings, and every start looks for them. */
export const appEnvPath = (env: Environment): string =>
  env.RALPH_APP_ENV?.trim() || `${dataFolderOf(env)}/app.env`;

/**
 * The environment with what the settings file says; a variable that is set counts more. The file is optional unless it is
 * named, and believed only while nobody else can read it.
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

type Told = { path: string; problems: string[] };

/** Reads `NAME=value` lines; comments and empty lines are passed over, and quotes around a value are none of it. Pure. */
export function parseAppEnv(text: string, { path, problems }: Told): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [index, each] of text.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(each)) continue;
    const [, name, value = ""] = line.exec(each.trim()) ?? [];
    // The line itself may hold a secret.
    if (name === undefined) problems.push(`${path}:${index + 1}: NAME=value is expected.`);
    else found[name] = value.replace(/^(["'])(.*)\1$/, "$2");
  }
  return found;
}

/** The lines of such a file; line breaks, as in a key, are written as `\n`. Pure. */
export function renderAppEnv(values: Readonly<Record<string, string>>): string {
  const lines = Object.entries(values).map(([name, value]) => {
    const flat = value.trim().replaceAll(/\r?\n/g, "\\n");
    if (flat.length > maxValue || /[\0\r\n]/.test(flat)) throw new Error(`${name} is no setting.`);
    return `${name}=${flat}`;
  });
  return `${lines.join("\n")}\n`;
}
