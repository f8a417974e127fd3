import {
  commandIn,
  type FoundGate,
  type FoundSetup,
  nameIn,
  type Part,
  type PartLocation,
  pathIn,
} from "./part.ts";
import { listNames, readTextFile } from "./read-optional.ts";

/** A toolchain recognised by one file, with commands that work in every such project. */
type Toolchain = {
  file: string;
  title: string;
  setup?: Omit<FoundSetup, "cache"> & { cache: string };
  gates: FoundGate[];
  testPaths: string[];
  /** Folders that its commands create. */
  ignores?: string[];
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
    ignores: ["target/"],
  },
  {
    file: "pom.xml",
    title: "Maven",
    gates: [{ name: "maven-test", role: "test", cmd: "mvn --batch-mode --quiet test", ...slow }],
    testPaths: ["**/src/test/**"],
    ignores: ["target/"],
  },
  {
    file: "gradlew",
    title: "Gradle",
    gates: [{ name: "gradle-test", role: "test", cmd: "./gradlew test", ...slow }],
    testPaths: ["**/src/test/**"],
    ignores: ["build/", ".gradle/"],
  },
  {
    file: "mix.exs",
    title: "Elixir",
    setup: { name: "mix-deps", cmd: "mix deps.get", cache: "mix.exs" },
    gates: [{ name: "mix-test", role: "test", cmd: "mix test", ...slow }],
    testPaths: ["**/test/**"],
    ignores: ["_build/", "deps/"],
  },
];

/** Toolchains other than Node and Python. */
export async function readOtherParts({ files, folder }: PartLocation): Promise<Part[]> {
  const names = await listNames(files, folder);
  const inside = <Step extends FoundGate | { name: string; cmd: string }>(step: Step): Step => ({
    ...step,
    name: nameIn(folder, step.name),
    cmd: commandIn(folder, step.cmd),
  });
  return toolchains
    .filter(({ file }) => names.includes(file))
    .map(({ file, title, setup, gates, testPaths, ignores = [] }) => ({
      ...nothing,
      folder,
      title: `${title} (${pathIn(folder, file)})`,
      setup: setup ? [{ ...inside(setup), cache: [pathIn(folder, setup.cache)] }] : [],
      gates: gates.map(inside),
      testPaths,
      ignores,
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

/** Targets of a Makefile that become gates. */
const targets: readonly [target: string, role: FoundGate["role"]][] = [
  ["lint", "lint"],
  ["typecheck", "typecheck"],
  ["test", "test"],
  ["check", "test"],
];

/** Gates from a Makefile, for projects without another toolchain. */
export async function readMakePart({ files, folder }: PartLocation): Promise<Part | undefined> {
  const text = await readTextFile(files, pathIn(folder, "Makefile"));
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
