import { RalphError } from "../../error.ts";

/** Shells, signals and locks of this program are those of Linux and macOS: elsewhere nothing is begun. */
export function requirePlatform(platform: NodeJS.Platform): void {
  if (platform === "linux" || platform === "darwin") return;
  const name = platform === "win32" ? "Windows" : platform;
  throw new RalphError("config", {
    message: `ralph does not work on ${name} runners; nothing was started.`,
    remedy: "Set `runs-on: ubuntu-24.04` for this job.",
  });
}
