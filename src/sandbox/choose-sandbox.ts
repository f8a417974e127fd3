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

/** The command that mends the usual causes: a missing package, and Ubuntu's rule against user namespaces. Pure. */
export function remedyFor(reason: string): string {
  const otherwise = "or set `sandbox.mode: auto` for trusted input only.";
  if (reason.includes("not installed"))
    return `Install it (Debian, Ubuntu: \`sudo apt-get install bubblewrap\`), ${otherwise}`;
  if (/cannot start here/.test(reason) && /namespace|permi|uid map|RTM_/i.test(reason))
    return `Allow user namespaces (\`sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0\`; inside a container, start it with \`--privileged\` or \`--security-opt seccomp=unconfined\`), ${otherwise}`;
  if (/Unknown option/.test(reason)) return `Install bubblewrap 0.5 or newer, ${otherwise}`;
  return `Mend that, ${otherwise}`;
}
