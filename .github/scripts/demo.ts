import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Lets ralph work through three tasks in a small repository: a gate fails, a review rejects, an agent crashes. */
const here = new URL(".", import.meta.url).pathname;
const ralph = join(here, "../../dist/cli.js");
if (!existsSync(ralph)) await import("./build.ts");

const folder = mkdtempSync(join(tmpdir(), "ralph-demo-"));
const project = join(folder, "project");
cpSync(join(here, "demo/project"), project, { recursive: true });

// The demo knows nobody: no user's git settings, no user's state.
const home = join(folder, "home");
mkdirSync(home);
const env = {
  PATH: process.env.PATH,
  TERM: process.env.TERM,
  HOME: home,
  RALPH_STATE_DIR: join(folder, "state"),
  GIT_CONFIG_NOSYSTEM: "1",
};
const identity = ["-c", "user.name=Demo", "-c", "user.email=demo@example.org"];
const git = (...args: string[]) =>
  execFileSync("git", [...identity, ...args], { cwd: project, env, encoding: "utf8" });
git("init", "--quiet", "--initial-branch=main");
git("add", "README.md", "package.json", "src", "test");
git("commit", "--quiet", "--message=Start");

console.log(`A small project was made in ${project}\n\n$ ralph run\n`);
const child = spawn(process.execPath, [ralph, "run"], { cwd: project, env, stdio: "inherit" });
const [code] = await once(child, "exit");

console.log(`\n$ git log --oneline\n${git("log", "--oneline", "--no-decorate").trimEnd()}`);
const dirt = git("status", "--short").trimEnd();
console.log(`\n$ git status --short\n${dirt || "(clean)"}`);
console.log(`
Where to look:
  cd ${project}
  git log -p                              the work, one commit a task
  cat .ralph/progress.txt AGENTS.md       what was learned
  ls .ralph-session/logs                  what agents and gates said
  cat .ralph/scenario.yml                 what the scripted agents did
Remove it all with: rm -r ${folder}`);
process.exitCode = code ?? 1;
