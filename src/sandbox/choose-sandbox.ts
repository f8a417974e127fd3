import { RalphError } from "../error.ts";
import type { Sandbox } from "../schema/config/safety.ts";
import type { SandboxProbe } from "./self-test.ts";

/** The sandbox the session records, and a warning when there is less protection than requested. */
export type SandboxChoice = { kind: "bubblewrap" | "off"; warning?: string };

/** Pure. `required` never continues without a sandbox (design 5); the caller requires it for untrusted input. */
export function chooseSandbox(mode: Sandbox["mode"], probe: SandboxProbe): SandboxChoice {
  if (mode === "off") return { kind: "off" };
  if (probe.kind === "works") return { kind: "bubblewrap" };
  if (mode === "required") {
    throw new RalphError("config", {
      message: `This run needs the sandbox, but ${probe.reason}.`,
      remedy: remedyFor(probe.reason),
    });
  }
  return {
    kind: "off",
    warning: `No sandbox: ${probe.reason}. Agents can read what this user can read.`,
  };
}

const allowed = "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
const unconfined = "--security-opt seccomp=unconfined";

/** Remedies of the usual causes: the first pattern that fits the reason counts. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [/not installed/, "Install it (Debian, Ubuntu: `sudo apt-get install bubblewrap`)"],
  [
    /cannot start here: .*mount proc/,
    `A container hides parts of \`/proc\`: start it with \`--privileged\`, or with \`${unconfined}\` and \`--security-opt systempaths=unconfined\` (Podman: \`unmask=ALL\`)`,
  ],
  [
    /cannot start here: .*max_\S*_namespaces/,
    "Allow more user namespaces (`sudo sysctl -w user.max_user_namespaces=15000`)",
  ],
  [
    /cannot start here: .*(?:namespace|permi|uid map|RTM_)/i,
    `Allow user namespaces (\`${allowed}\`; inside a container, start it with \`--privileged\` or \`${unconfined}\`)`,
  ],
  [/Unknown option/, "Install bubblewrap 0.4.1 or newer"],
];

/** The remedy of the usual causes: a missing package, limits of containers, rules against user namespaces. Pure. */
export function remedyFor(reason: string): string {
  const remedy = remedies.find(([cause]) => cause.test(reason))?.[1] ?? "Fix that";
  return `${remedy}, or set \`sandbox.mode: auto\` for trusted input only.`;
}
