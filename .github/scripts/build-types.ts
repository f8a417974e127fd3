import { execFileSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";

/** The public types of `@org/ralph-action/omc`; the rest is left out. */
const published = [
  "dialects/omc/schema/types.d.ts",
  "omc/ralph-state.d.ts",
  "omc/ultrawork-state.d.ts",
  "omc/verification-state.d.ts",
];

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
