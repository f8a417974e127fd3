import type { System } from "../system/system.ts";

type Finder = Pick<System, "ask" | "env">;

/** Where a shell in `root` finds a program, by name on PATH or by path; undefined when it does not. */
export async function findProgram(
  { ask, env }: Finder,
  { file, root }: { file: string; root: string },
): Promise<string | undefined> {
  const args = ["-c", 'command -v -- "$1"', "sh", file];
  const { exitCode, stdout } = await ask({ file: "sh", args, cwd: root, env: { PATH: env.PATH } });
  return exitCode === 0 ? stdout.toString().trim() : undefined;
}

/** Programs that wait for an answer, or are slow to start, are not waited for. */
const timeoutMs = 5000;

/** The first thing in a program's answer to `--version` that looks like one. */
export async function readVersion(
  { supervise, env }: Pick<System, "supervise" | "env">,
  { file, root }: { file: string; root: string },
): Promise<string | undefined> {
  const { PATH, HOME } = env;
  const command = { file, args: ["--version"], cwd: root, env: { PATH, HOME }, timeoutMs };
  const { end, stdout } = await supervise(command);
  const isAnswer = end.kind === "exited" && end.code === 0;
  return isAnswer ? /\d+(?:\.\d+)+/.exec(stdout)?.[0] : undefined;
}
