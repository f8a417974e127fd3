import type { AgentCall, Driver } from "./driver.ts";
import type { Remedies } from "./reported-error.ts";

/** Starts a driver's program with its own first arguments, followed by the driver's options for the call. */
export function startWith(options: (call: AgentCall) => string[]): Driver["command"] {
  return (call) => {
    const [file, ...args] = call.program;
    return { file, args: [...args, ...options(call)] };
  };
}

/** Remedies for the errors only the user can resolve; login and upgrade depend on the program. */
export const remediesFor = (own: { login: string; newer: string }): Remedies => ({
  login: own.login,
  billing: "Add credit to the account, or use another key.",
  model:
    "Set `agents.<role>.model` in .ralph/ralph.yml to a model this account may use, or remove it.",
  "unknown-option": `${own.newer}, or correct \`agents.<role>.args\` in .ralph/ralph.yml.`,
});
