import { findProgram } from "../agents/call/agent-version.ts";
import { drivers } from "../agents/drivers/drivers.ts";
import type { System } from "../platform/system.ts";
import type { Fix } from "./check.ts";

const managers = ["apt-get", "dnf", "apk", "pacman", "zypper", "brew"] as const;
type Manager = (typeof managers)[number];

const installs: Record<Manager, string> = {
  "apt-get": "sudo apt-get install -y",
  dnf: "sudo dnf install -y",
  apk: "sudo apk add",
  pacman: "sudo pacman -S --noconfirm",
  zypper: "sudo zypper install -y",
  brew: "brew install",
};

/** The npm package of a program that comes from npm on every system. */
const npmPackageOf = (program: string): string | undefined =>
  ["pnpm", "yarn"].includes(program)
    ? program
    : drivers.find((driver) => driver.program === program)?.npm?.name;

/** Package names by program, for all systems or per package manager. */
const packages: Record<string, string | Partial<Record<Manager | "other", string>>> = {
  bwrap: "bubblewrap",
  flock: { brew: "flock", other: "util-linux" },
  go: { "apt-get": "golang", dnf: "golang", other: "go" },
  cargo: { brew: "rust", apk: "cargo", pacman: "rust", other: "cargo" },
  node: { "apt-get": "nodejs", dnf: "nodejs", apk: "nodejs", pacman: "nodejs", other: "node" },
  npm: { brew: "node", other: "npm" },
  python: { "apt-get": "python-is-python3", other: "python3" },
  python3: { pacman: "python", other: "python3" },
  pip: { brew: "python3", apk: "py3-pip", pacman: "python-pip", other: "python3-pip" },
  pytest: {
    "apt-get": "python3-pytest",
    dnf: "python3-pytest",
    zypper: "python3-pytest",
    apk: "py3-pytest",
    pacman: "python-pytest",
    brew: "pytest",
  },
  uv: { dnf: "uv", apk: "uv", pacman: "uv", brew: "uv" },
  git: "git",
  make: "make",
  chromium: "chromium",
};

/** The commands for these fixes on this system. Programs without a known package are left out. */
export async function commandsOf(
  system: Pick<System, "ask" | "env">,
  fixes: readonly Fix[],
): Promise<string[]> {
  const manager = await findManager(system);
  const hasSudo = (await findProgram(system, { file: "sudo", root: "/" })) !== undefined;
  const commands = fixes.flatMap((fix) =>
    "command" in fix ? fix.command : (installOf(fix, manager) ?? []),
  );
  // Containers often have no sudo, and their user needs none.
  return hasSudo ? commands : commands.map((command) => command.replace(/^sudo /, ""));
}

function installOf({ install }: { install: string }, manager: Manager | undefined) {
  const fromNpm = npmPackageOf(install);
  if (fromNpm !== undefined) return `npm install --global ${fromNpm}`;
  const known = packages[install];
  if (manager === undefined || known === undefined) return undefined;
  const name = typeof known === "string" ? known : (known[manager] ?? known.other);
  return name && `${installs[manager]} ${name}`;
}

async function findManager(system: Pick<System, "ask" | "env">): Promise<Manager | undefined> {
  for (const manager of managers) {
    if (await findProgram(system, { file: manager, root: "/" })) return manager;
  }
  return undefined;
}
