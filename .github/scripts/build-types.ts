import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** What `ralph-action/omc` promises; what stands behind it is not told. */
const published = [
  "omc/index.d.ts",
  "omc/ralph-state.d.ts",
  "omc/ultrawork-state.d.ts",
  "omc/verification-state.d.ts",
  "model/dialects/omc-types.d.ts",
];

/** Writes the types of what the package exports into `folder`, below a project's root. */
export async function buildTypes(root: string, folder: string): Promise<void> {
  const all = `${root}${folder}.all`;
  const options = [
    "--noEmit",
    "false",
    "--declaration",
    "--emitDeclarationOnly",
    "--rootDir",
    "src",
  ];
  const settings = `${all}.json`;
  await writeFile(
    settings,
    JSON.stringify({ extends: "../tsconfig.json", include: ["../src/omc"], files: [] }),
  );
  execFileSync(`${root}node_modules/.bin/tsc`, ["-p", settings, ...options, "--outDir", all], {
    cwd: root,
    stdio: "inherit",
  });
  for (const path of published) {
    const text = await readFile(`${all}/${path}`, "utf8");
    await mkdir(dirname(`${root}${folder}/${path}`), { recursive: true });
    await writeFile(`${root}${folder}/${path}`, text.replaceAll('.ts"', '.js"'));
  }
  await rm(all, { recursive: true, force: true });
  await rm(settings);
}
