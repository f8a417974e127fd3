import type { AgentCall, Driver } from "./driver.ts";
import type { Remedies } from "./trouble.ts";

/** Starts a driver's program with its own first arguments, and then with what the driver adds for the call. */
export function startWith(options: (call: AgentCall) => string[]): Driver["command"] {
  return (call) => {
    const [file, ...args] = call.program;
    return { file, args: [...args, ...options(call)] };
  };
}

/** What to do about each trouble only the user can mend; a login and a newer version are every program's own. */
export const remediesFor = (own: { login: string; newer: string }): Remedies => ({
  login: own.login,
  billing: "Add credit to the account, or use another key.",
  model:
    "Set `agents.<role>.model` in .ralph/ralph.yml to a model this account may use, or remove it.",
  "unknown-option": `${own.newer}, or correct \`agents.<role>.args\` in .ralph/ralph.yml.`,
});
