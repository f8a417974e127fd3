import type { PackageJson } from "./package-json.ts";

const names = ["npm", "pnpm", "yarn", "bun"] as const;
type ManagerName = (typeof names)[number];

/** How a Node project is installed and how its scripts are started. */
export type PackageManager = {
  name: ManagerName;
  /** The lockfile, when there is one; the install command then keeps to it. */
  lockfile?: string;
  install: string;
  /** Starts a script of package.json. */
  run: (script: string) => string;
  /** Starts a program of an installed package; never downloads one. */
  exec: (command: string) => string;
  /** Starts a script in every package of a workspace that has it; undefined where the manager cannot. */
  runEverywhere: ((script: string) => string) | undefined;
  tools: string[];
  /** What an installation leaves that git must not see. */
  ignores: string[];
};

/** The files beside package.json and, in a package of a larger repository, those above it. */
type Beside = {
  names: readonly string[];
  /** The text of yarn.lock: of its two formats only the newer one has `__metadata`. */
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

/** By what package.json asks for, else by the lockfile, else npm. */
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

type Variant = { lockfile: string | undefined; isBerry: boolean };
type Commands = Omit<PackageManager, "name" | "lockfile" | "ignores">;

function commandsOf(name: ManagerName, { lockfile, isBerry }: Variant): Commands {
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

/** Without a lockfile none is written: it would be a change nobody asked for. */
const installCommands: Record<ManagerName | "berry", { locked: string; open: string }> = {
  npm: { locked: "npm ci", open: "npm install --no-package-lock" },
  pnpm: { locked: "pnpm install --frozen-lockfile", open: "pnpm install --no-lockfile" },
  yarn: { locked: "yarn install --frozen-lockfile", open: "yarn install --no-lockfile" },
  berry: { locked: "yarn install --immutable", open: "yarn install" },
  bun: { locked: "bun install --frozen-lockfile", open: "bun install --no-save" },
};
