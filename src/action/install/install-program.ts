import * as z from "zod";
import { drivers } from "../../agents/drivers/drivers.ts";
import { RalphError } from "../../error.ts";
import type { System } from "../../platform/system.ts";

export type ProgramInstallation = {
  program: string;
  /** The folder of the lock files: one folder per program, with `package.json` and `package-lock.json`. */
  pins: string;
  place: string;
  /** One exact version instead of the pinned one. */
  version: string | undefined;
};

export type InstalledProgram = { folder: string; version: string; ms: number };

const packageOf = (program: string) => drivers.find(({ name }) => name === program)?.npm;

/** Whether the action knows the package of an agent program. */
export const isInstallable = (program: string) => packageOf(program) !== undefined;

/**
 * Installs an agent program from the npm registry: the pinned version by its lock file, which fixes every byte, or
 * exactly the version the workflow names. Install scripts of dependencies do not run.
 */
export async function installProgram(
  system: System,
  wanted: ProgramInstallation,
): Promise<InstalledProgram> {
  const found = packageOf(wanted.program);
  if (!found) {
    const installable = drivers.filter(({ npm }) => npm).map(({ name }) => name);
    throw new RalphError("config", {
      message: `The agent program ${wanted.program} is not on this runner, and the action cannot install it.`,
      remedy: `Install it in an earlier step. The action can install ${installable.join(", ")}.`,
    });
  }
  const startedAt = system.clock.monotonic();
  const folder = `${wanted.place}/${wanted.program}`;
  const version = await placeManifest(system, wanted);
  const how = wanted.version === undefined ? "ci" : "install";
  await runIn(system, folder, ["npm", how, ...npmOptions]);
  if (found.script) await runIn(system, folder, [process.execPath, found.script]);
  await runIn(system, folder, [`${folder}/node_modules/.bin/${wanted.program}`, "--version"]);
  const ms = system.clock.monotonic() - startedAt;
  return { folder: `${folder}/node_modules/.bin`, version, ms };
}

// The programs of claude and codex for this platform are optional packages.
const npmOptions = ["--ignore-scripts", "--include=optional", "--no-audit", "--no-fund"];

/** Writes the manifest and lock file for npm; returns the version they install. */
async function placeManifest(
  { files }: Pick<System, "files">,
  { pins, place, program, version }: ProgramInstallation,
): Promise<string> {
  // On a runner that is reused, an earlier job may have written here.
  await files(place).remove(program);
  await files(place).makeFolder(program);
  const target = files(`${place}/${program}`);
  const name = packageOf(program)?.name ?? program;
  if (version !== undefined) {
    const manifest = { private: true, dependencies: { [name]: version } };
    await target.write("package.json", JSON.stringify(manifest));
    return version;
  }
  const pinned = files(`${pins}/${program}`);
  const [manifest, lock] = await Promise.all(
    ["package.json", "package-lock.json"].map((path) => pinned.read(path)),
  );
  if (!manifest || !lock) throw new Error(`There is no pin of ${program} in ${pins}.`);
  await target.write("package.json", manifest);
  await target.write("package-lock.json", lock);
  return Pin.parse(JSON.parse(String(manifest))).dependencies[name] ?? "";
}

const Pin = z.object({ dependencies: z.record(z.string(), z.string()) });

async function runIn(
  { ask, env }: Pick<System, "ask" | "env">,
  cwd: string,
  [file, ...args]: readonly [string, ...string[]],
): Promise<void> {
  const needed = Object.entries(env).filter(([name]) => wantedVariables.test(name));
  const command = { file, args, cwd, env: Object.fromEntries(needed) };
  const { exitCode, stderr, stdout } = await ask(command);
  if (exitCode === 0) return;
  if (exitCode === 127 && file === "npm") {
    throw new RalphError("config", {
      message: "The agent program cannot be installed: this runner has no npm.",
      remedy:
        "Add a step with actions/setup-node before this one, or install the agent program in an earlier step.",
    });
  }
  const output = `${stderr}\n${stdout}`.trim().split("\n").slice(-15).join("\n");
  throw new RalphError("config", {
    message: `\`${[file.split("/").at(-1), ...args].join(" ")}\` failed while installing the agent program:\n${output}`,
    remedy: "Check the registry's answer above, or install the program in an earlier step.",
  });
}

/** Variables npm needs to reach its registry; none holds a token or key of the job. */
const wantedVariables =
  /^(?:PATH|HOME|TMPDIR|LANG|(?:https?|no|all)_proxy|npm_config_(?!.*(?:token|auth|password)).*|node_extra_ca_certs|ssl_cert_(?:file|dir))$/i;
