import { type FoundGate, type FoundSetup, type Part, type Place, pathIn } from "./part.ts";
import { readText } from "./read-text.ts";

/** A toolchain known by one file, with commands every project of its kind understands. */
type Toolchain = {
  file: string;
  title: string;
  setup?: Omit<FoundSetup, "cache"> & { cache: string };
  gates: FoundGate[];
  testPaths: string[];
};

const slow = { timeoutSeconds: 900 };

const toolchains: readonly Toolchain[] = [
  {
    file: "go.mod",
    title: "Go",
    setup: { name: "go-modules", cmd: "go mod download", cache: "go.mod" },
    gates: [
      { name: "go-vet", role: "lint", cmd: "go vet ./..." },
      { name: "go-test", role: "test", cmd: "go test ./...", ...slow },
    ],
    testPaths: ["**/*_test.go", "**/testdata/**"],
  },
  {
    file: "Cargo.toml",
    title: "Rust",
    setup: { name: "crates", cmd: "cargo fetch", cache: "Cargo.toml" },
    gates: [
      { name: "cargo-check", role: "typecheck", cmd: "cargo check --all-targets", ...slow },
      { name: "cargo-test", role: "test", cmd: "cargo test", ...slow },
    ],
    testPaths: ["**/tests/**", "**/benches/**"],
  },
  {
    file: "pom.xml",
    title: "Maven",
    gates: [{ name: "maven-test", role: "test", cmd: "mvn --batch-mode --quiet test", ...slow }],
    testPaths: ["**/src/test/**"],
  },
  {
    file: "gradlew",
    title: "Gradle",
    gates: [{ name: "gradle-test", role: "test", cmd: "./gradlew test", ...slow }],
    testPaths: ["**/src/test/**"],
  },
  {
    file: "mix.exs",
    title: "Elixir",
    setup: { name: "mix-deps", cmd: "mix deps.get", cache: "mix.exs" },
    gates: [{ name: "mix-test", role: "test", cmd: "mix test", ...slow }],
    testPaths: ["**/test/**"],
  },
];

/** Toolchains beside Node and Python at the project's root. */
export function otherParts(names: readonly string[]): Part[] {
  return toolchains
    .filter(({ file }) => names.includes(file))
    .map(({ file, title, setup, gates, testPaths }) => ({
      ...nothing,
      title: `${title} (${file})`,
      setup: setup ? [{ ...setup, cache: [setup.cache] }] : [],
      gates: gates.map((gate) => ({ ...gate })),
      testPaths,
    }));
}

const nothing = {
  stack: "other" as const,
  folder: "",
  ignores: [],
  dependencies: [],
  tools: [],
  remarks: [],
};

/** Targets of a Makefile that are gates by their name. */
const targets: readonly [target: string, role: FoundGate["role"]][] = [
  ["lint", "lint"],
  ["typecheck", "typecheck"],
  ["test", "test"],
  ["check", "test"],
];

/** A Makefile speaks for projects nothing else is known of. */
export async function readMakePart({ files, folder }: Place): Promise<Part | undefined> {
  const text = await readText(files, pathIn(folder, "Makefile"));
  if (text === undefined) return undefined;
  const defined = [...text.matchAll(/^([\w.-]+(?:[ \t]+[\w.-]+)*)[ \t]*:(?!=)/gm)];
  const all = defined.flatMap(([, list = ""]) => list.split(/\s+/));
  const found = targets.filter(([target]) => all.includes(target));
  const gates = found
    .filter(([target]) => target !== "check" || !all.includes("test"))
    .map(([target, role]): FoundGate => {
      const gate = { name: `make-${target}`, role, cmd: `make ${target}` };
      return role === "test" ? { ...gate, ...slow } : gate;
    });
  const remarks = gates.length > 0 ? [] : ["Makefile has no target test, check or lint."];
  return {
    ...nothing,
    title: "make (Makefile)",
    setup: [],
    gates,
    testPaths: ["**/tests/**", "**/test/**"],
    remarks,
  };
}
