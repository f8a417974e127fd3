import { readVersion } from "../../agents/call/agent-version.ts";
import { findProgram } from "../../agents/call/find-program.ts";
import { type Check, type CheckResult, type Fix, pass, warningResult } from "../check.ts";
import type { ScanContext } from "../scan-context.ts";

/** What holds only with it (design 5), for people to decide. */
const lost = [
  "  forged state or history is detected where it shows, not prevented",
  "  programs an agent starts are ended as far as they are found",
  "  agents can read what this user can read (see `exposure`)",
];

/** Whether the sandbox works here with the session's real profile; if not, why, and what does not hold then. */
export const sandbox: Check = {
  name: "sandbox",
  needs: ["config", "repo"],
  fixes: [{ install: "bwrap" }],
  run: async (context) => {
    const { mode } = (await context.config()).config.sandbox;
    const { kind, warning: reason } = await context.sandbox();
    if (kind === "bubblewrap") return works(context);
    if (mode === "off") {
      return warningResult(["off in the configuration; without it:", ...lost].join("\n"), {
        remedy: "Set `sandbox.mode: auto`, unless this machine is thrown away after the run.",
      });
    }
    const remedy =
      process.platform === "linux"
        ? "Install bubblewrap and allow user namespaces."
        : "It needs Linux: run in CI or in a container, or go on with trusted tasks only.";
    const fixes = await fixesFor(context);
    return warningResult([reason ?? "No sandbox.", "Without it:", ...lost].join("\n"), {
      remedy,
      fixes,
    });
  },
};

async function works({ system, root }: ScanContext): Promise<CheckResult> {
  const path = await findProgram(system, { file: "bwrap", root });
  const version = path && (await readVersion(system, [path, "--version"], root));
  return pass(["bubblewrap", version, "works"].filter(Boolean).join(" "), {
    ...(path && { path }),
    ...(version && { version }),
  });
}

const switchName = "kernel.apparmor_restrict_unprivileged_userns";

/** A bubblewrap that is there and cannot start is most often held back by this switch of Ubuntu's. */
async function fixesFor({ system, root }: ScanContext): Promise<Fix[]> {
  if (process.platform !== "linux") return [];
  if (!(await findProgram(system, { file: "bwrap", root }))) return [{ install: "bwrap" }];
  const args = [`/proc/sys/${switchName.replaceAll(".", "/")}`];
  const { stdout } = await system.ask({ file: "cat", args, cwd: root, env: system.env });
  const isShut = stdout.toString().trim() === "1";
  return isShut ? [{ command: `sudo sysctl -w ${switchName}=0` }] : [];
}
