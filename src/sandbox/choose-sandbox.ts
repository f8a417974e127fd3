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
      remedy:
        "Install bubblewrap and allow user namespaces, or set `sandbox.mode` for trusted input only.",
    });
  }
  return {
    kind: "off",
    warning: `No sandbox: ${probe.reason}. Agents can read what this user can read.`,
  };
}
