import type { System } from "../../platform/system.ts";

type Finder = Pick<System, "ask" | "env">;

/** The path at which a shell in `root` finds a program, by name on PATH or by path; undefined when it finds none. */
export async function findProgram(
  { ask, env }: Finder,
  { file, root }: { file: string; root: string },
): Promise<string | undefined> {
  const args = ["-c", 'command -v -- "$1"', "sh", file];
  const { exitCode, stdout } = await ask({ file: "sh", args, cwd: root, env: { PATH: env.PATH } });
  return exitCode === 0 ? stdout.toString().trim() : undefined;
}
