import type { FoundGate, FoundSetup } from "./part.ts";

/** A gate that needs other files, by name and content. */
export type ToolchainGate = FoundGate & { needs?: { file: RegExp; holds?: RegExp }[] };

/** A toolchain recognised by one file, with commands that work in every such project. */
export type Toolchain = {
  file: string | RegExp;
  title: string;
  setup?: Omit<FoundSetup, "cache">;
  gates: ToolchainGate[];
  testPaths: string[];
  /** Folders that its commands create. */
  ignores?: string[];
};

const slow = { timeoutSeconds: 900 };

/** Toolchains other than Node and Python. */
export const toolchains: readonly Toolchain[] = [
  {
    file: "go.mod",
    title: "Go",
    setup: { name: "go-modules", cmd: "go mod download" },
    gates: [
      { name: "go-vet", role: "lint", cmd: "go vet ./..." },
      { name: "go-test", role: "test", cmd: "go test ./...", ...slow },
    ],
    testPaths: ["**/*_test.go", "**/testdata/**"],
  },
  {
    file: "Cargo.toml",
    title: "Rust",
    setup: { name: "crates", cmd: "cargo fetch" },
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
    setup: { name: "mix-deps", cmd: "mix deps.get" },
    gates: [{ name: "mix-test", role: "test", cmd: "mix test", ...slow }],
    testPaths: ["**/test/**"],
    ignores: ["_build/", "deps/"],
  },
  {
    file: "Gemfile",
    title: "Ruby",
    // Without a folder of its own, gems go where only root may write.
    setup: { name: "gems", cmd: "bundle config set --local path vendor/bundle && bundle install" },
    gates: [
      {
        ...{ name: "rubocop", role: "lint", cmd: "bundle exec rubocop" },
        needs: [{ file: /^\.rubocop\.yml$/ }, { file: /^Gemfile$/, holds: /\brubocop\b/ }],
      },
      {
        ...{ name: "rspec", role: "test", cmd: "bundle exec rspec", ...slow },
        needs: [{ file: /^\.rspec$/ }],
      },
      {
        ...{ name: "rake-test", role: "test", cmd: "bundle exec rake test", ...slow },
        needs: [{ file: /^Rakefile$/, holds: /TestTask|task[ (]+:?["']?test\b/ }],
      },
    ],
    testPaths: ["**/test/**", "**/spec/**"],
    ignores: [".bundle/", "vendor/bundle/"],
  },
  {
    file: "composer.json",
    title: "PHP",
    setup: { name: "composer", cmd: "composer install --no-interaction --no-progress" },
    gates: [
      {
        ...{ name: "phpstan", role: "typecheck", cmd: "vendor/bin/phpstan analyse --no-progress" },
        needs: [
          { file: /^phpstan\.(?:dist\.)?neon(?:\.dist)?$/ },
          { file: /^composer\.json$/, holds: /phpstan\/phpstan|larastan/ },
        ],
      },
      {
        ...{ name: "phpunit", role: "test", cmd: "vendor/bin/phpunit", ...slow },
        needs: [{ file: /^phpunit\.(?:dist\.)?xml(?:\.dist)?$/ }],
      },
    ],
    testPaths: ["**/tests/**"],
    ignores: ["vendor/"],
  },
  {
    file: /\.(?:slnx?|csproj|fsproj)$/,
    title: ".NET",
    setup: { name: "dotnet-restore", cmd: "dotnet restore" },
    gates: [
      { name: "dotnet-build", role: "build", cmd: "dotnet build --no-restore", ...slow },
      { name: "dotnet-test", role: "test", cmd: "dotnet test --no-restore", ...slow },
    ],
    testPaths: ["**/*Tests/**", "**/*.Tests/**", "**/test/**", "**/tests/**"],
    ignores: ["bin/", "obj/"],
  },
];
