import { readFile } from "node:fs/promises";
import { type BuildOptions, build, type Plugin } from "esbuild";

/** Large, and needed for one question only; it shares nothing, so that the schema library of the others stays small. */
const providerLibrary: Plugin = {
  name: "provider-library",
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/provider-library\.ts$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./provider-library.js", external: true } : undefined,
    ),
};

/** `@actions/core` brings an HTTP client for identity tokens, which are never asked for: a fifth of what a step starts with. */
const noHttpClient: Plugin = {
  name: "no-http-client",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^@actions\/http-client/ }, ({ path }) => ({ path, namespace: "absent" }));
    onLoad({ filter: /./, namespace: "absent" }, () => ({ contents: "module.exports = {};" }));
  },
};

/** To import `node:process` opens the standard streams and more, which takes a quarter of the time to the first agent call. */
const globalProcess: Plugin = {
  name: "global-process",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(node:)?process$/ }, () => ({ path: "process", namespace: "global" }));
    onLoad({ filter: /./, namespace: "global" }, () => ({
      contents: "module.exports = globalThis.process;",
    }));
  },
};

/** Playwright reads two data files next to itself; a bundle holds them. */
const playwrightData: Plugin = {
  name: "playwright-data",
  setup: ({ onLoad }) =>
    onLoad({ filter: /playwright-core\/lib\/coreBundle\.js$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const read =
        /require\(import_path\d+\.default\.join\(packageRoot, "(package|browsers)\.json"\)\)/g;
      if (text.match(read)?.length !== 2) throw new Error("playwright-core reads other files now.");
      return { contents: text.replaceAll(read, 'require("../$1.json")') };
    }),
};

const shared = {
  absWorkingDir: new URL("../../", import.meta.url).pathname,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node24",
  // jsonc-parser's main file loads its parts by computed paths; its module form does not.
  mainFields: ["module", "main"],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  metafile: true,
  plugins: [providerLibrary, noHttpClient, globalProcess],
  // Some dependencies are CommonJS and ask for built-in modules by `require`.
  banner: {
    js: 'import { createRequire as ralphCreateRequire } from "node:module"; const require = ralphCreateRequire(import.meta.url);',
  },
} satisfies BuildOptions;

/** Bundles each of `inParts`, programs that load the code they need, and beside them the single files they start. */
export function buildPrograms(outdir: string, inParts: Record<string, string>[]) {
  return Promise.all([
    ...inParts.map((entryPoints) =>
      build({ ...shared, outdir, entryPoints, splitting: true, chunkNames: "parts/[name]-[hash]" }),
    ),
    // One file each, for other programs.
    build({
      ...shared,
      outdir,
      entryPoints: {
        "scripted-agent": "src/agents/scripted/scripted-agent.ts",
        "cage-forwarder": "src/sandbox/cage-forwarder.ts",
        omc: "src/omc/index.ts",
        "parts/provider-library": "src/autopilot/llm/provider-library.ts",
      },
    }),
    // Playwright is CommonJS that loads its parts by name. Only a browser test starts this program.
    build({
      ...shared,
      outdir,
      entryPoints: { browser: "src/ui/driver/driver.ts" },
      format: "cjs",
      outExtension: { ".js": ".cjs" },
      banner: {},
      plugins: [playwrightData],
    }),
  ]);
}
