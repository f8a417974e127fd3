import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const here = new URL(".", import.meta.url).pathname;
const files = ["package.json", "package-lock.json"];

/**
 * The folder of the agent programs `claude`, `codex` and `gemini`, in the versions of the lock file. They are large, so
 * they are installed once for each version, in the user's cache. Throws when that is not possible here.
 */
export async function installAgents(): Promise<string> {
  const { XDG_CACHE_HOME = "", HOME = homedir() } = process.env;
  const cache = join(XDG_CACHE_HOME || join(HOME, ".cache"), "ralph-test-agents");
  const folder = join(cache, versionKey());
  if (!existsSync(folder)) await install({ cache, folder });
  return join(folder, "node_modules/.bin");
}

function versionKey(): string {
  const hash = createHash("sha256").update(readFileSync(join(here, "package-lock.json")));
  return `${process.platform}-${process.arch}-${hash.digest("hex").slice(0, 16)}`;
}

/** Beside its place first: a broken installation is never found there. */
async function install({ cache, folder }: { cache: string; folder: string }): Promise<void> {
  console.info(`installing the agent programs in ${folder}`);
  mkdirSync(cache, { recursive: true });
  const place = mkdtempSync(join(cache, "new-"));
  try {
    for (const file of files) cpSync(join(here, file), join(place, file));
    const options = { cwd: place, timeout: 300_000 };
    await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], options);
    // The one script of theirs that is needed: it puts the program of this platform in its place.
    const script = "node_modules/@anthropic-ai/claude-code/install.cjs";
    await run(process.execPath, [script], options);
    for (const program of ["claude", "codex", "gemini"]) {
      await run(join(place, "node_modules/.bin", program), ["--version"], options);
    }
    if (!existsSync(folder)) renameSync(place, folder);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
