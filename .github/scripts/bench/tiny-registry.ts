import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeText } from "./write-text.ts";

export type TinyPackage = { name: string; bin: string; script: string };

/** An npm registry on this machine with one package, version 1.0.0, whose only file is a program. */
export async function startTinyRegistry(
  wanted: TinyPackage,
): Promise<{ url: string } & AsyncDisposable> {
  const tarball = packTarball(wanted);
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo;
    const isTarball = request.url?.endsWith(".tgz");
    response.end(
      isTarball ? tarball : JSON.stringify(describe(wanted, `http://127.0.0.1:${port}`, tarball)),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const manifestOf = ({ name, bin }: TinyPackage) => ({
  name,
  version: "1.0.0",
  bin: { [bin]: "program.sh" },
});

function describe(wanted: TinyPackage, url: string, tarball: Buffer) {
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  const dist = { tarball: `${url}/package.tgz`, integrity };
  return {
    name: wanted.name,
    "dist-tags": { latest: "1.0.0" },
    versions: { "1.0.0": { ...manifestOf(wanted), dist } },
  };
}

function packTarball(wanted: TinyPackage): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "ralph-bench-"));
  try {
    writeText(join(folder, "package/package.json"), JSON.stringify(manifestOf(wanted)));
    chmodSync(writeText(join(folder, "package/program.sh"), wanted.script), 0o755);
    execFileSync("tar", ["-czf", "package.tgz", "package"], { cwd: folder });
    return readFileSync(join(folder, "package.tgz"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
