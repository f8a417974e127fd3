import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** `pack.ts FOLDER` writes ralph-action.tgz, the package that users install: the build, and nothing to fetch. */
const root = new URL("../../", import.meta.url).pathname;
const target = resolve(process.argv[2] ?? ".");
const { name, version, description, license, type, bin, exports, files, engines } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);
const folder = mkdtempSync(join(tmpdir(), "ralph-pack-"));
try {
  for (const part of ["dist", "schemas", "README.md", "LICENSE", "CHANGELOG.md"])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  const manifest = {
    ...{ name, version, description, license, type, bin, exports, files, engines },
    repository: `github:${name.slice(1)}`,
    // Windows has neither process groups nor the shell the gates are written for.
    os: ["linux", "darwin"],
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], {
    cwd: folder,
  });
  cpSync(join(folder, packed.toString().trim()), join(target, "ralph-action.tgz"));
} finally {
  rmSync(folder, { recursive: true });
}
