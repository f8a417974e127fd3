import type { System } from "../../platform/system.ts";
import type { CommandLine, Driver } from "../drivers/driver.ts";

/** Longest wait for a program that asks a question or starts slowly. */
const timeoutMs = 5000;

type Asker = Pick<System, "supervise" | "env">;

/** The version an agent program prints; undefined when its driver cannot ask for it, or on any error. */
export async function agentVersion(
  system: Asker,
  { driver, program }: { driver: Driver; program: CommandLine },
  root: string,
): Promise<string | undefined> {
  if (driver.version === undefined) return undefined;
  return readVersion(system, [...program, ...driver.version], root);
}

/** The first version number in a program's output. The program gets no credential. */
export async function readVersion(
  { supervise, env }: Asker,
  [file, ...args]: CommandLine,
  root: string,
): Promise<string | undefined> {
  const { PATH, HOME } = env;
  const limits = { timeoutMs, keepBytes: 4096 };
  const command = { file, args, cwd: root, env: { PATH, HOME }, input: "" };
  const { end, stdout } = await supervise({ ...command, ...limits });
  if (end.kind !== "exited" || end.code !== 0) return undefined;
  return /\d+\.\d+(?:\.\d+)*(?:[-+.][\w.+-]{1,40})?/.exec(stdout)?.[0];
}

type Finder = Pick<System, "ask" | "env">;

/** The path at which a shell in `root` finds a program, by name on PATH or by path; undefined when it finds none. */
export async function findProgram(
  { ask, env }: Finder,
  { file, root }: { file: string; root: string },
): Promise<string | undefined> {
  const args = ["-ec", 'command -v -- "$1"', "sh", file];
  const { exitCode, stdout } = await ask({ file: "sh", args, cwd: root, env: { PATH: env.PATH } });
  return exitCode === 0 ? stdout.toString().trim() : undefined;
}
