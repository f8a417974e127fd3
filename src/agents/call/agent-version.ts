import type { System } from "../../platform/system.ts";
import type { CommandLine, Driver } from "../drivers/driver.ts";

/** Programs that wait for an answer, or are slow to start, are not waited for. */
const timeoutMs = 5000;

type Asker = Pick<System, "supervise" | "env">;

/** The version an agent program states; undefined where its driver knows no way to ask, or on any trouble. */
export async function agentVersion(
  system: Asker,
  { driver, program }: { driver: Driver; program: CommandLine },
  root: string,
): Promise<string | undefined> {
  if (driver.version === undefined) return undefined;
  return readVersion(system, [...program, ...driver.version], root);
}

/** The first thing in a program's answer that looks like a version. It is given no credential. */
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
