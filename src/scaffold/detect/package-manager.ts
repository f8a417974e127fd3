import type { PackageJson } from "./package-json.ts";

const names = ["npm", "pnpm", "yarn", "bun"] as const;
type ManagerName = (typeof names)[number];

/** The commands of a package manager. */
export type PackageManager = {
  name: ManagerName;
  /** The lockfile, if present; the install command then respects it. */
  lockfile?: string;
  install: string;
  /** Starts a script of package.json. */
  run: (script: string) => string;
  /** Starts a program of an installed package, without downloads. */
  exec: (command: string) => string;
  /** Starts a script in every package of a workspace that has it; undefined if the manager cannot. */
  runEverywhere: ((script: string) => string) | undefined;
  tools: string[];
  /** Installed files, for .gitignore. */
  ignores: string[];
};

/** File names in the package's folder and, inside a larger repository, in the folders above. */
type Beside = {
  names: readonly string[];
  /** The text of yarn.lock: only its newer format has `__metadata`. */
  yarnLock?: string | undefined;
};

const lockfiles: readonly [file: string, name: ManagerName][] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
];

/** Chooses by package.json, else by the lockfile, else npm. */
export function choosePackageManager(
  manifest: Pick<PackageJson, "packageManager">,
  { names: files, yarnLock = "" }: Beside,
): PackageManager {
  const present = lockfiles.filter(([file]) => files.includes(file));
  const [, asked, version] = /^(\w+)@(\d+)/.exec(manifest.packageManager ?? "") ?? [];
  const name = names.find((known) => known === asked) ?? present[0]?.[1] ?? "npm";
  const lockfile = present.find(([, owner]) => owner === name)?.[0];
  const isNewer =
    version === undefined
      ? files.includes(".yarnrc.yml") || /^__metadata:/m.test(yarnLock)
      : Number(version) > 1;
  const isBerry = name === "yarn" && isNewer;
  return {
    name,
    ...(lockfile && { lockfile }),
    ...commandsOf(name, { lockfile, isBerry }),
    ignores: ["node_modules/", ...(isBerry ? [".pnp.*", ".yarn/install-state.gz"] : [])],
  };
}

function commandsOf(
  name: ManagerName,
  { lockfile, isBerry }: { lockfile: string | undefined; isBerry: boolean },
): Omit<PackageManager, "name" | "lockfile" | "ignores"> {
  const run = (script: string) => `${name} run ${script}`;
  const install = installCommands[isBerry ? "berry" : name][lockfile ? "locked" : "open"];
  switch (name) {
    case "npm":
      return {
        install,
        run: (script) => (script === "test" ? "npm test" : run(script)),
        exec: (command) => `npx --no-install ${command}`,
        runEverywhere: (script) => `${run(script)} --workspaces --if-present`,
        tools: [],
      };
    case "pnpm":
      return {
        install,
        run,
        exec: (command) => `pnpm exec ${command}`,
        runEverywhere: (script) => `pnpm --recursive --if-present run ${script}`,
        tools: ["corepack enable"],
      };
    case "yarn":
      return {
        install,
        run,
        exec: run,
        runEverywhere: isBerry
          ? (script) => `yarn workspaces foreach --all run ${script}`
          : undefined,
        tools: isBerry ? ["corepack enable"] : [],
      };
    case "bun":
      return {
        install,
        run,
        exec: (command) => `bun x --no-install ${command}`,
        runEverywhere: (script) => `bun run --filter '*' ${script}`,
        tools: ["npm install --global bun"],
      };
  }
}

/** Without a lockfile, an installation writes none: it would be an unrequested change. */
const installCommands: Record<ManagerName | "berry", { locked: string; open: string }> = {
  npm: { locked: "npm ci", open: "npm install --no-package-lock" },
  pnpm: { locked: "pnpm install --frozen-lockfile", open: "pnpm install --no-lockfile" },
  yarn: { locked: "yarn install --frozen-lockfile", open: "yarn install --no-lockfile" },
  berry: { locked: "yarn install --immutable", open: "yarn install" },
  bun: { locked: "bun install --frozen-lockfile", open: "bun install --no-save" },
};
