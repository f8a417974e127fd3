import type { Metafile } from "esbuild";

/** The entry points that `ralph run` loads before its first agent call. */
const loadedFirst = [
  ...["src/cli/main.ts", "src/cli/working.ts", "src/platform/create-system.ts"],
  "node_modules/execa/index.js",
];

/**
 * The text of dist/cli.js. A polyglot: run by a shell it starts itself with the project's own Node, whatever Node the system has. The heap is
 * kept small: to start a process costs more the more memory the one that starts it has touched, and a collector that runs between two
 * processes touches all of it. The young part has its size from the start, so that fewer collections run.
 *
 * Node has its own modules compiled for V8's default flags only, so they are loaded before the flags are set. With `--no-lazy` the cache holds
 * every function of ralph compiled, not just those that are called while a file loads.
 */
export const renderLauncher = (metafile: Metafile): string => `#!/bin/sh
":" //; here=$(readlink -f -- "$0"); here=\${here%/*}; node="$here/../node_modules/.bin/node"; [ -x "$node" ] || node=node; MALLOC_ARENA_MAX=1 exec "$node" --max-old-space-size=1024 --max-semi-space-size=2 --min-semi-space-size=2 --no-memory-reducer "$here/cli.js" "$@"
const load = process.getBuiltinModule;
const ownNode = new URL("../node_modules/.bin/node", import.meta.url).pathname;
if (Number(process.versions.node.split(".")[0]) >= 24) {
  for (const name of ${JSON.stringify(builtinsOf(metafile))}) load(name);
  for (const flag of ["--no-lazy", "--no-maglev", "--heap-growing-percent=30"]) load("node:v8").setFlagsFromString(flag);
  load("node:module").enableCompileCache();
  await import("./main.js");
} else {
  const { existsSync } = await import("node:fs");
  if (!existsSync(ownNode)) {
    console.error("ralph needs Node 24 or newer; this is " + process.version + ". Install it, or put \`npx --yes --package node@24 --\` in front of the command.");
    process.exit(1);
  }
  const { spawn } = await import("node:child_process");
  // The channel closes when this process is killed; ralph then stops as it does on SIGTERM.
  const child = spawn(ownNode, [new URL("./main.js", import.meta.url).pathname, ...process.argv.slice(2)], { stdio: ["inherit", "inherit", "inherit", "ipc"] });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 143)));
}
`;

/** The built-in modules that the files of a run import, without those that a command loads later. */
function builtinsOf({ outputs }: Metafile): string[] {
  const paths = Object.keys(outputs).filter((path) =>
    loadedFirst.includes(outputs[path]?.entryPoint ?? ""),
  );
  const found = new Set(paths);
  for (const path of found)
    for (const { path: target, kind } of outputs[path]?.imports ?? [])
      if (kind === "import-statement") found.add(target);
  return [...found].filter((name) => name.startsWith("node:")).sort();
}
