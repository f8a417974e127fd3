import { RalphError } from "../error.ts";
import type { System } from "../platform/system.ts";

/** Names under which distributions and hosted runners install it, the usual ones first. */
const names = ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser"];

type Finder = Pick<System, "ask" | "env">;

/** The browser of this machine: CHROME_PATH, else the first on PATH, else Debian's; undefined without one. */
export async function findChromium({ ask, env }: Finder): Promise<string | undefined> {
  const candidates = env.CHROME_PATH ? [env.CHROME_PATH] : [...names, "/usr/bin/chromium"];
  const script = 'for name; do command -v -- "$name" && exit 0; done; exit 1';
  const args = ["-c", script, "sh", ...candidates];
  const { exitCode, stdout } = await ask({ file: "sh", args, cwd: "/", env: { PATH: env.PATH } });
  return exitCode === 0 ? stdout.toString().trim() : undefined;
}

/** The same; a missing browser is exit 1 with the way to install one. */
export async function requireChromium(system: Finder): Promise<string> {
  const found = await findChromium(system);
  if (found !== undefined) return found;
  const named = system.env.CHROME_PATH;
  throw new RalphError("config", {
    message: named
      ? `CHROME_PATH is ${named}, which is no program.`
      : "Browser tests are configured, and this machine has no Chromium.",
    remedy:
      "Install it (`apt-get install chromium`; GitHub's own runners have google-chrome), or set CHROME_PATH.",
  });
}
