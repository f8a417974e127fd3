import { copyFileSync, existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BuildOptions, build } from "esbuild";

const bundles = new Map<string, Promise<string>>();

/** A program in one file, as programs are shipped: it starts in a fraction of the time its sources take. */
export function bundle(source: URL): Promise<string> {
  const known = bundles.get(source.href) ?? createBundle(source.pathname);
  bundles.set(source.href, known);
  return known;
}

const forwarder = new URL("../../../src/sandbox/cage-forwarder.ts", import.meta.url).pathname;

const browserDriver = new URL("../../../dist/browser.cjs", import.meta.url).pathname;

/** Beside it, as in a build, the forwarder that runs inside a network cage and the driver of the browser. */
async function createBundle(source: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "ralph-bundle-"));
  const outfile = join(folder, "main.mjs");
  await Promise.all([
    build({ ...shared, entryPoints: [source], outfile }),
    build({ ...shared, entryPoints: [forwarder], outfile: join(folder, "cage-forwarder.js") }),
  ]);
  if (existsSync(browserDriver)) copyFileSync(browserDriver, join(folder, "browser.cjs"));
  return outfile;
}

const shared = {
  bundle: true,
  minify: true,
  platform: "node",
  format: "esm",
  target: "node24",
  mainFields: ["module", "main"],
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
} satisfies BuildOptions;
