import type { PackageJson } from "./package-json.ts";
import type { GateRole } from "./part.ts";

/** Usual names of scripts, the best first: what only looks goes before what may also repair. */
const usualNames: Record<GateRole, readonly string[]> = {
  lint: ["lint:check", "lint:ci", "lint", "eslint"],
  typecheck: ["typecheck", "type-check", "check-types", "types:check", "check:types", "tsc"],
  build: ["build"],
  test: ["test", "test:ci", "test:run", "test:unit"],
};

/** The name of a package's script for a role, when it has one that ends by itself. */
export function scriptFor(role: GateRole, { scripts }: PackageJson): string | undefined {
  return usualNames[role].find((name) => isUsable(scripts[name]));
}

/** The same for a workspace. A placeholder in one package would make the whole gate red. */
export function scriptOfAll(role: GateRole, packages: readonly PackageJson[]): string | undefined {
  return usualNames[role].find((name) => {
    const scripts = packages.flatMap((member) => member.scripts[name] ?? []);
    return scripts.length > 0 && scripts.every(isUsable);
  });
}

/** Not what `npm init` writes, and nothing that waits for changes. */
function isUsable(script: string | undefined): boolean {
  return script !== undefined && script.trim() !== "" && !isPlaceholder(script) && !watches(script);
}

export const isPlaceholder = (script: string) =>
  script.includes("no test specified") || /^echo\b[^&|;]*(?:&&|;)\s*exit 1\s*$/.test(script.trim());

const watching = [
  /\s--watch(?:All)?(?!\S*=false)(?=[\s=]|$)/i,
  /\b(?:tsc|mocha|jest)\b[^&|;]*\s-w\b/,
  /\bvitest (?:watch|dev)\b/,
  /\bnodemon\b/,
  /\bng test\b(?!.*--(?:no-watch|watch=false))/,
];

/** Whether a script waits for changes and never ends. */
export const watches = (script: string) => watching.some((pattern) => pattern.test(script));

/** These programs watch unless they are told that nobody is there. */
export const needsCi = (script: string) =>
  /\b(?:react-scripts|craco|react-app-rewired) test\b/.test(script);
