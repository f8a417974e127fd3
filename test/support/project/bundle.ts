import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const bundles = new Map<string, Promise<string>>();

/** A program in one file, as programs are shipped: it starts in a fraction of the time its sources take. */
export function bundle(source: URL): Promise<string> {
  const known = bundles.get(source.href) ?? createBundle(source.pathname);
  bundles.set(source.href, known);
  return known;
}

async function createBundle(source: string): Promise<string> {
  const outfile = join(mkdtempSync(join(tmpdir(), "ralph-bundle-")), "main.mjs");
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    target: "node24",
    mainFields: ["module", "main"],
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  return outfile;
}
