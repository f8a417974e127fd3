import { execFileSync } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";

/** What `ralph-action/omc` promises; what stands behind it is not told. */
const published = [
  "dialects/omc/schema/types.d.ts",
  "omc/ralph-state.d.ts",
  "omc/ultrawork-state.d.ts",
  "omc/verification-state.d.ts",
];

/** The types of what the package exports, as one file that needs no other. `path` is below a project's root. */
export async function buildTypes(root: string, path: string): Promise<void> {
  const folder = `${root}${path}.all`;
  const settings = `${folder}.json`;
  const wanted = { extends: "../tsconfig.json", include: ["../src/omc"], files: [] };
  await writeFile(settings, JSON.stringify(wanted));
  const options = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly"];
  const places = ["--rootDir", `${root}src`, "--outDir", folder];
  const tsc = `${root}node_modules/typescript/bin/tsc`;
  execFileSync(process.execPath, [tsc, "-p", settings, ...options, ...places], {
    cwd: root,
    stdio: "inherit",
  });
  const texts = await Promise.all(published.map((each) => readFile(`${folder}/${each}`, "utf8")));
  await writeFile(`${root}${path}`, texts.join("").replaceAll(/^import .*\n/gm, ""));
  await rm(folder, { recursive: true, force: true });
  await rm(settings);
}
