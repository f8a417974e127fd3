import { execFileSync } from "node:child_process";
import { existsSync, globSync, statSync, utimesSync } from "node:fs";

const newest = "dist/cli.js";
const sources = ["src/**", "package.json", ".github/scripts/build*.ts"];

/** Tests of the action run `dist`: it is built first where it is absent, or older than a source. */
export function setup(): void {
  const builtMs = existsSync(newest) ? statSync(newest).mtimeMs : 0;
  if (globSync(sources).every((path) => statSync(path).mtimeMs < builtMs)) return;
  execFileSync(process.execPath, [".github/scripts/build.ts"]);
  // The build leaves files alone that stay the same.
  utimesSync(newest, new Date(), new Date());
}
