import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The packages a build holds, each with its licence and the texts it asks to be passed on. */
export function renderNotice(root: string, inputs: readonly string[]): string {
  const folders = [...new Set(inputs.flatMap((path) => packageFolder(path) ?? []))].toSorted();
  const parts = folders.map((folder) => renderPackage(join(root, folder)));
  return `ralph holds code of these packages.\n\n${parts.join(`\n${"-".repeat(80)}\n`)}`;
}

/** `node_modules/a/node_modules/@b/c` of a file in it; undefined for a file of ours. */
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
