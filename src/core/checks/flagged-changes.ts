import { pathMatcher } from "./path-pattern.ts";

/** A changed file as git lists it: `A`, `M`, `D` or `T`, and the path below the project root. */
export interface FileChange {
  status: string;
  path: string;
}

/** A permitted change that can weaken the proofs: the reviewer should look at it (design 5, T46). */
export interface FlaggedChange {
  path: string;
  because: "ignore-rules" | "lockfile" | "manifest" | "gate-script" | "gate-settings" | "old-test";
}

export interface FlagRules {
  /** `test_paths` of the start commit; `!glob` takes away from usual names of tests as well. */
  testPaths: readonly string[];
  /** Commands of all gates: a changed file that one of them names is a gate script. */
  gateCommands: readonly string[];
}

/** Flagged changes stay; the reviewer's prompt and the pull request list them with the reason. */
export function flaggedChanges(
  changes: readonly FileChange[],
  { testPaths, gateCommands }: FlagRules,
): FlaggedChange[] {
  const isTest = pathMatcher(testPaths);
  const flag = flagOf(gateCommands);
  const reasonFor = ({ path, status }: FileChange): FlaggedChange["because"] | undefined =>
    flag(path) ?? (status !== "A" && isTest(path) ? "old-test" : undefined);
  return changes.flatMap((change) => {
    const because = reasonFor(change);
    return because ? [{ path: change.path, because }] : [];
  });
}

/** Why a file of this name can weaken the proofs; undefined for ordinary files. Pure: only the name decides. */
export function flagOf(
  gateCommands: readonly string[],
): (path: string) => Exclude<FlaggedChange["because"], "old-test"> | undefined {
  const scripts = new Set(gateCommands.flatMap(pathsInCommand));
  return (path) => {
    if (folderKinds.test(path)) return "gate-settings";
    const kind = fileKinds.find(({ pattern }) => pattern.test(nameOf(path)));
    return kind?.because ?? (scripts.has(path) ? "gate-script" : undefined);
  };
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** The parts of a shell command that could be paths, without quotes and a leading `./`. */
export function pathsInCommand(command: string): string[] {
  return command.split(/[\s"'`;|&()<>=]+/u).map((word) => word.replace(/^(?:\.\/)+/u, ""));
}

const oneOf = (...names: string[]) => new RegExp(`^(?:${names.join("|")})$`, "iu");

/** Folders whose files steer tools wherever they are named. */
const folderKinds = /(?:^|\/)(?:\.mvn|\.cargo|\.yarn|patches)\//iu;

const fileKinds: readonly {
  because: Exclude<FlaggedChange["because"], "old-test">;
  pattern: RegExp;
}[] = [
  { because: "ignore-rules", pattern: oneOf("\\.\\w*ignore") },
  {
    because: "lockfile",
    pattern: oneOf(
      "(?:package-lock|npm-shrinkwrap)\\.json",
      "pnpm-lock\\.ya?ml",
      "go\\.(?:work\\.)?sum",
      "bun\\.lockb",
      "gradle\\.lockfile",
      "[\\w.-]+\\.lock",
    ),
  },
  {
    because: "manifest",
    pattern: oneOf(
      "(?:package|composer|deno)\\.jsonc?",
      "pnpm-workspace\\.ya?ml",
      "\\.npmrc|\\.yarnrc(?:\\.yml)?|bunfig\\.toml",
      "pyproject\\.toml|setup\\.(?:py|cfg)|pipfile|requirements[\\w.-]*\\.txt",
      "cargo\\.toml|go\\.(?:mod|work)|gemfile|[\\w.-]+\\.(?:gemspec|csproj|fsproj)",
      "pom\\.xml|(?:build|settings)\\.gradle(?:\\.kts)?|package\\.swift|mix\\.exs",
    ),
  },
  {
    because: "gate-settings",
    pattern: oneOf(
      "(?:gnu)?makefile|[\\w.-]+\\.mk|justfile|rakefile|taskfile\\.ya?ml|noxfile\\.py",
      "cmakelists\\.txt|build(?:\\.bazel)?|workspace(?:\\.bazel)?|gradlew(?:\\.bat)?|mvnw(?:\\.cmd)?|build\\.rs",
      "(?:turbo|nx|lerna)\\.json|node\\.config\\.json|\\.pnpmfile\\.c?js|\\.env[\\w.-]*",
      "\\.nvmrc|\\.node-version|\\.python-version|\\.ruby-version|\\.tool-versions|\\.c8rc[\\w.]*|\\.nycrc[\\w.]*",
      "(?:vitest|jest|mocha|test)[.-]?setup[\\w.-]*\\.\\w+|setup[.-]?(?:vitest|jest|tests?)[\\w.-]*\\.\\w+|sitecustomize\\.py|usercustomize\\.py",
      "tox\\.ini|pytest\\.ini|mypy\\.ini|\\.?ruff\\.toml|\\.flake8|\\.coveragerc|conftest\\.py",
      "[tj]sconfig[\\w.-]*\\.json|biome\\.jsonc?|\\.(?:eslint|prettier|mocha)rc[\\w.]*",
      "(?:eslint|vitest|jest|vite|playwright|cypress|babel|prettier|karma)\\.conf(?:ig)?\\.\\w+",
      "vitest\\.workspace\\.\\w+|\\.pre-commit-config\\.ya?ml|\\.golangci\\.ya?ml",
      "clippy\\.toml|rustfmt\\.toml|phpunit\\.xml(?:\\.dist)?",
    ),
  },
];
