import { findProgram, readVersion } from "../../agents/call/agent-version.ts";
import { remedyFor } from "../../sandbox/choose-sandbox.ts";
import { type NetworkPlan, networkPlan } from "../../session/open/open-network.ts";
import { type Check, type CheckResult, type Fix, pass, warningResult } from "../check.ts";
import type { ScanContext } from "../scan-context.ts";

/** Guarantees that only hold with the sandbox (design 5). */
const lost = [
  "  ralph cannot prevent forged state or history, only detect it",
  "  programs started by an agent may keep running",
  "  agents can read everything this user can read (see `exposure`)",
  "  agents reach every host, whatever `sandbox.network` says",
];

/** Checks that the sandbox works with the real profile of a session; if not, gives the reason and the lost guarantees. */
export const sandbox: Check = {
  name: "sandbox",
  needs: ["config", "repo"],
  fixes: [{ install: "bwrap" }],
  run: async (context) => {
    const { config } = await context.config();
    const { mode } = config.sandbox;
    const { kind, warning: reason } = await context.sandbox();
    if (kind === "bubblewrap" && reason) return warningResult(reason);
    if (kind === "bubblewrap") return works(context, networkPlan(config));
    if (mode === "off") {
      return warningResult(["off in the configuration; without it:", ...lost].join("\n"), {
        remedy: "Set `sandbox.mode: auto`, unless this machine is discarded after the run.",
      });
    }
    const remedy =
      process.platform === "linux"
        ? remedyFor(reason ?? "")
        : "The sandbox needs Linux: run in CI or in a container, or run only trusted tasks.";
    const fixes = await fixesFor(context);
    return warningResult([reason ?? "No sandbox.", "Without it:", ...lost].join("\n"), {
      remedy,
      fixes,
    });
  },
};

const reach = {
  cage: "agents reach their model, registries and listed hosts",
  none: "agents reach their model only",
  host: "agents reach every host (`sandbox.network`)",
};

async function works({ system, root }: ScanContext, plan: NetworkPlan): Promise<CheckResult> {
  const path = await findProgram(system, { file: "bwrap", root });
  const version = path && (await readVersion(system, [path, "--version"], root));
  const works = ["bubblewrap", version, "works"].filter(Boolean).join(" ");
  return pass(`${works}; ${reach[plan.agents]}`, {
    ...(path && { path }),
    ...(version && { version }),
  });
}

const switchName = "kernel.apparmor_restrict_unprivileged_userns";

/** When bubblewrap is installed and cannot start, the usual cause is this setting of Ubuntu. */
async function fixesFor({ system, root }: ScanContext): Promise<Fix[]> {
  if (process.platform !== "linux") return [];
  if (!(await findProgram(system, { file: "bwrap", root }))) return [{ install: "bwrap" }];
  const args = [`/proc/sys/${switchName.replaceAll(".", "/")}`];
  const { stdout } = await system.ask({ file: "cat", args, cwd: root, env: system.env });
  const isShut = stdout.toString().trim() === "1";
  return isShut ? [{ command: `sudo sysctl -w ${switchName}=0` }] : [];
}
