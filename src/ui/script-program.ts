import type { System } from "../platform/system.ts";

/** What `ui.agent_browser.script` lacks; undefined: nothing. */
export type ScriptProblem = "no-script" | "no-agent-browser";

const look = `[ -f "$1" ] || { echo no-script; exit; }
grep -q agent-browser -- "$1" && ! command -v agent-browser >/dev/null && echo no-agent-browser
exit 0`;

/** A script is the project's own; only one that speaks of agent-browser needs that program. */
export async function findScriptProblem(
  { ask, env }: Pick<System, "ask" | "env">,
  root: string,
  script: string,
): Promise<ScriptProblem | undefined> {
  const args = ["-c", look, "sh", `./${script}`];
  const { stdout } = await ask({ file: "sh", args, cwd: root, env: { PATH: env.PATH } });
  const [problem = ""] = stdout.toString().trim().split("\n");
  return problem === "" ? undefined : (problem as ScriptProblem);
}
