import { type AllowedHosts, hostOfUrl } from "./allowed-hosts.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Which files show that a package manager is used, the hosts it downloads from, variables that name others, and its
 * download folders below the home folder, beside `.cache` and `.npm`.
 */
const managers: readonly {
  files: RegExp;
  hosts: readonly string[];
  variables?: readonly string[];
  caches?: readonly string[];
}[] = [
  {
    files: /^(?:package\.json|deno\.jsonc?)$/,
    hosts: ["registry.npmjs.org", "registry.yarnpkg.com"],
    variables: ["NPM_CONFIG_REGISTRY", "npm_config_registry"],
  },
  {
    files:
      /^(?:pyproject\.toml|setup\.(?:py|cfg)|Pipfile|requirements.*\.txt|uv\.lock|poetry\.lock)$/,
    hosts: ["pypi.org", "files.pythonhosted.org"],
    variables: ["PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX"],
  },
  {
    files: /^(?:go\.mod|go\.work)$/,
    hosts: ["proxy.golang.org", "sum.golang.org"],
    variables: ["GOPROXY"],
    // Modules, and beside them their known checksums.
    caches: ["go/pkg"],
  },
  {
    files: /^Cargo\.toml$/,
    hosts: ["index.crates.io", "static.crates.io", "crates.io"],
    caches: [".cargo/git", ".cargo/registry"],
  },
  {
    files: /^(?:pom\.xml|(?:build|settings)\.gradle(?:\.kts)?)$/,
    hosts: [
      "repo.maven.apache.org",
      "repo1.maven.org",
      "plugins.gradle.org",
      "plugins-artifacts.gradle.org",
      "services.gradle.org",
    ],
    // Not the folders themselves, which hold settings and scripts that run by their name.
    caches: [
      ...["caches", "daemon", "native", "notifications", "wrapper", ".tmp"].map(
        (name) => `.gradle/${name}`,
      ),
      ...[".m2/repository", ".m2/wrapper"],
    ],
  },
  { files: /^Gemfile$/, hosts: ["rubygems.org", "index.rubygems.org"] },
  { files: /^composer\.json$/, hosts: ["repo.packagist.org"] },
  {
    files: /\.(?:cs|fs|vb)proj$|^(?:NuGet\.Config|nuget\.config)$/,
    hosts: ["api.nuget.org"],
    caches: [".local/share/NuGet", ".nuget/packages"],
  },
];

/**
 * The registries of the package managers a project uses, and those that the machine's variables name in their place.
 * Hosts that serve more than packages, such as github.com, are not among them (T20). Pure; `paths` are the project's files.
 */
export function registriesOf(paths: readonly string[], env: Environment): AllowedHosts {
  const used = managersOf(paths);
  const named = used
    .flatMap(({ variables = [] }) => variables)
    .flatMap((name) => (env[name] ?? "").split(/[\s,|]+/))
    .map(hostOfUrl)
    .filter((host) => host !== undefined);
  return { named: [...new Set(named)], derived: used.flatMap(({ hosts }) => hosts) };
}

/** The download folders of the package managers a project uses, below the home folder. Pure. */
export const packageCachesOf = (paths: readonly string[]): string[] =>
  managersOf(paths).flatMap(({ caches = [] }) => caches);

function managersOf(paths: readonly string[]) {
  const names = new Set(paths.map((path) => path.slice(path.lastIndexOf("/") + 1)));
  return managers.filter(({ files }) => [...names].some((name) => files.test(name)));
}
