import type { System } from "../system/system.ts";
import type { Driver, Program } from "./driver.ts";

const timeoutMs = 5000;

/** The version an agent program states, asked outside any task: it is given no credential. Undefined on any trouble. */
export async function agentVersion(
  { supervise, env }: Pick<System, "supervise" | "env">,
  [file, ...args]: Program,
  { version }: Driver,
): Promise<string | undefined> {
  if (version === undefined) return undefined;
  const { PATH, HOME } = env;
  const { end, stdout } = await supervise({
    ...{ file, args: [...args, ...version], cwd: ".", env: { PATH, HOME }, input: "" },
    ...{ timeoutMs, keepBytes: 4096 },
  });
  if (end.kind !== "exited" || end.code !== 0) return undefined;
  return /\d+\.\d+(?:\.\d+)?(?:[-+.][\w.+-]{1,40})?/.exec(stdout)?.[0];
}
