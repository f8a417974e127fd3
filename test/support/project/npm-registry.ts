import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface FakePackage {
  name: string;
  version: string;
  /** Keys of its package.json beside name and version. */
  manifest?: Record<string, unknown>;
  files: Record<string, string>;
}

export interface NpmRegistry extends AsyncDisposable {
  readonly url: string;
  /** Every path that was asked for. */
  readonly seen: readonly string[];
  /** As the registry would name it in a lock file. */
  integrity: (name: string) => string;
  /** From here on these bytes stand for the package, and the registry says so itself. */
  replace: (entry: FakePackage) => void;
}

type Packed = FakePackage & { tarball: Buffer; integrity: string };

/** A package registry on this machine, as far as npm asks it to install something. */
export async function startNpmRegistry(entries: readonly FakePackage[]): Promise<NpmRegistry> {
  const shelf = new Map(entries.map((entry) => [entry.name, pack(entry)]));
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    seen.push(path);
    const name = path.slice(1).replace(/\/-\/.*$/, "");
    const found = shelf.get(name);
    if (!found) response.writeHead(404).end('{"error":"Not found"}');
    else if (path.endsWith(".tgz")) response.end(found.tarball);
    else response.end(JSON.stringify(describe(found, url)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return {
    url,
    seen,
    integrity: (name) => shelf.get(name)?.integrity ?? "",
    replace: (entry) => shelf.set(entry.name, pack(entry)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const manifestOf = ({ name, version, manifest }: FakePackage) => ({ name, version, ...manifest });

function describe(entry: Packed, url: string) {
  const { name, version, integrity } = entry;
  const dist = { tarball: `${url}/${name}/-/${name.split("/").at(-1)}-${version}.tgz`, integrity };
  const versions = { [version]: { ...manifestOf(entry), dist } };
  return { name, "dist-tags": { latest: version }, versions };
}

function pack(entry: FakePackage): Packed {
  const folder = mkdtempSync(join(tmpdir(), "ralph-test-pack-"));
  const files = { "package.json": JSON.stringify(manifestOf(entry)), ...entry.files };
  for (const [path, text] of Object.entries(files)) {
    const target = join(folder, "package", path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text, { mode: 0o755 });
  }
  const tarball = execFileSync("tar", ["-cz", "-C", folder, "--remove-files", "package"]);
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  return { ...entry, tarball, integrity };
}
