import { findFile } from "./find-file.ts";
import type { PackageJson } from "./package-json.ts";
import { type GateRole, type PartLocation, pathIn } from "./part.ts";
import { listNames, readTextFile } from "./read-optional.ts";

type NodeTool = {
  role: GateRole;
  package: string;
  command: string;
  /** Its configuration files, if the tool needs one. */
  settings?: RegExp;
};

const tools: readonly NodeTool[] = [
  {
    role: "lint",
    package: "eslint",
    command: "eslint .",
    settings: /^(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.\w+)?)$/,
  },
  {
    role: "lint",
    package: "@biomejs/biome",
    command: "biome check",
    settings: /^\.?biome\.jsonc?$/,
  },
  {
    role: "typecheck",
    package: "typescript",
    command: "tsc --noEmit",
    settings: /^tsconfig\.json$/,
  },
  { role: "test", package: "vitest", command: "vitest run" },
  { role: "test", package: "jest", command: "jest" },
];

/** The command of an installed and configured tool, for projects without a script. */
export async function toolFor(
  role: GateRole,
  { files, folder }: PartLocation,
  { dependencies }: PackageJson,
): Promise<string | undefined> {
  const names = await listNames(files, folder);
  const tool = tools.find(
    ({ role: its, package: name, settings }) =>
      its === role &&
      dependencies.includes(name) &&
      (!settings || names.some((file) => settings.test(file))),
  );
  if (tool?.role !== "typecheck") return tool?.command;
  // A tsconfig.json with references lists no files, so tsc would check nothing.
  const settings = await readTextFile(files, pathIn(folder, "tsconfig.json"));
  return settings?.includes('"references"') ? undefined : tool.command;
}

const strictRunners = /\b(?:vitest|jest|mocha|ava|(?:bun|react-scripts) test)\b/;
const tests =
  /(?:^|[/._-])(?:test|spec)s?\.[cm]?[jt]sx?$|(?:^|\/)(?:__tests__|tests?|spec)\/.*\.[cm]?[jt]sx?$/;

/** The reason why a test command fails in a project without tests. */
export async function redReason(
  command: string,
  { files, folder }: PartLocation,
): Promise<string | undefined> {
  const [runner] = strictRunners.exec(command) ?? [];
  if (runner === undefined || /passWithNoTests/i.test(command)) return undefined;
  const hasTests = (await findFile(files, folder, tests)) !== undefined;
  return hasTests ? undefined : `${runner} fails while there are no tests`;
}
