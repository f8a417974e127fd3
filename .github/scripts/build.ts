import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import { renderLauncher } from "./build-launcher.ts";
import { buildPrograms } from "./build-programs.ts";

/** Bundles ralph's programs into dist/ with the licences they need, and links the command into node_modules/.bin. */
const root = new URL("../../", import.meta.url).pathname;
/** Programs that run from dist meanwhile keep finding whole files there. */
const fresh = `${root}node_modules/.ralph-build-${process.pid}`;

/** The public types of `@org/ralph-action/omc`; the rest is left out. */
const published = [
  "dialects/omc/schema/types.d.ts",
  "omc/ralph-state.d.ts",
  "omc/ultrawork-state.d.ts",
  "omc/verification-state.d.ts",
];

// Each command and each step of the action loads its own code only. Two builds: a part that both share would be cut
// into many, and each file that a program loads costs it time.
const builds = await buildPrograms(fresh, [
  { main: "src/cli/main.ts" },
  { action: "src/action/main.ts" },
]);
for (const { metafile } of builds)
  for (const path of Object.keys(metafile.outputs)) await finish(`${root}${path}`);
await buildTypes(root, `${fresh}/omc.d.ts`);
const inputs = builds.flatMap(({ metafile }) => Object.keys(metafile.inputs));
await writeFile(`${fresh}/NOTICE`, renderNotice(root, inputs));
await writeFile(`${fresh}/cli.js`, renderLauncher(builds[0].metafile));
await chmod(`${fresh}/cli.js`, 0o755);
await replaceFiles(fresh, `${root}dist`);
await rm(`${root}node_modules/.bin/ralph`, { force: true });
await symlink("../../dist/cli.js", `${root}node_modules/.bin/ralph`);

async function finish(path: string): Promise<void> {
  await writeFile(path, keepNarrow(lookUpBuiltins(await readFile(path, "utf8"))));
}

/** To import a built-in module loads whatever its names stand for, such as streams; a look-up loads the names that are used. */
function lookUpBuiltins(text: string): string {
  const importOf = /import(?:\*as ([\w$]+) |\s?([\w$]+) ?|\{([^{}]*)\})from"((?:node:)?[\w/]+)";/g;
  return text.replace(importOf, (statement, all, main, names, from) => {
    if (!isBuiltin(from)) return statement;
    const bound = all ?? main ?? `{${names.replaceAll(" as ", ":")}}`;
    return `const ${bound}=process.getBuiltinModule("${from}");`;
  });
}

/** Escapes wide characters, all of them in strings and patterns: one doubles the memory that the whole text takes. */
function keepNarrow(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(/[\u0100-\uffff]/g, escaped);
}

/** Moves files that differ, removes those that are no longer built, and the emptied folder. */
async function replaceFiles(from: string, to: string): Promise<void> {
  const built = await filesIn(from);
  await mkdir(`${to}/parts`, { recursive: true });
  for (const file of built) {
    const [now, before] = await Promise.all([
      readFile(join(from, file)),
      readFile(join(to, file)).catch(() => undefined),
    ]);
    if (!before?.equals(now)) await rename(join(from, file), join(to, file));
  }
  for (const file of await filesIn(to)) if (!built.includes(file)) await rm(join(to, file));
  await rm(from, { recursive: true });
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}

/** The packages a build holds, each with its licence and the texts it asks to be passed on. */
export function renderNotice(root: string, inputs: readonly string[]): string {
  const folders = [...new Set(inputs.flatMap((path) => packageFolder(path) ?? []))].toSorted();
  const parts = folders.map((folder) => renderPackage(join(root, folder)));
  return `ralph holds code of these packages.\n\n${parts.join(`\n${"-".repeat(80)}\n`)}`;
}

/** `node_modules/a/node_modules/@b/c` of a file in it; undefined for ralph's own files. */
function packageFolder(path: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

function renderPackage(folder: string): string {
  const { name, version, license } = readPackage(folder);
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
    .toSorted()
    .map((file) => readFileSync(join(folder, file), "utf8").trim());
  if (license === undefined && texts.length === 0)
    throw new Error(`${name} ${version} names no licence; ralph may not hold it.`);
  return [`${name} ${version} (${license})`, ...texts, ""].join("\n\n");
}

/** Some packages keep a package.json of another kind in folders below; the one with a name counts. */
function readPackage(folder: string): { name: string; version: string; license?: string } {
  const found = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return found.name ? found : readPackage(dirname(folder));
}

/** The types of what the package exports, as one file that needs no other. */
export async function buildTypes(root: string, path: string): Promise<void> {
  const folder = `${path}.all`;
  const settings = `${folder}.json`;
  const wanted = { extends: `${root}tsconfig.json`, include: [`${root}src/omc`], files: [] };
  await writeFile(settings, JSON.stringify(wanted));
  const options = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly"];
  const places = ["--rootDir", `${root}src`, "--outDir", folder];
  const tsc = `${root}node_modules/typescript/bin/tsc`;
  execFileSync(process.execPath, [tsc, "-p", settings, ...options, ...places], {
    cwd: root,
    stdio: "inherit",
  });
  const texts = await Promise.all(published.map((each) => readFile(`${folder}/${each}`, "utf8")));
  await writeFile(path, texts.join("").replaceAll(/^import .*\n/gm, ""));
  await rm(folder, { recursive: true, force: true });
  await rm(settings);
}
