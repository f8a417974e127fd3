import type { CommitIdentity } from "./environment.ts";

/** The values git reads from all its files, the last one per key; section and key names in lower case. */
export type GitConfig = ReadonlyMap<string, string>;

const copiedKeys = [
  "core.autocrlf",
  "core.eol",
  "core.filemode",
  "core.ignorecase",
  "core.precomposeunicode",
  "core.symlinks",
  "core.sparsecheckout",
  "core.sparsecheckoutcone",
  "core.longpaths",
  "user.name",
  "user.email",
];

/** This extension keeps settings in a second file, which the private directory does not have. */
const worktreeConfig = "extensions.worktreeconfig";

/** Parses the output of `git config --list -z`. A key without a value means true. */
export function parseConfigList(text: string): GitConfig {
  const entries = text.split("\0").filter((entry) => entry !== "");
  return new Map(
    entries.map((entry): [string, string] => {
      const end = entry.indexOf("\n");
      return end < 0 ? [entry, "true"] : [entry.slice(0, end), entry.slice(end + 1)];
    }),
  );
}

export function readIdentity(config: GitConfig): Partial<CommitIdentity> {
  const name = config.get("user.name");
  const email = config.get("user.email");
  return { ...(name && { name }), ...(email && { email }) };
}

/**
 * The private directory's configuration: the copied keys of design 5 and ralph's own. No hooks, file system monitor or
 * filter drivers; objects are on the disk before a command ends, so that a pass can depend on them.
 */
export function renderPrivateConfig(
  config: GitConfig,
  options: { excludesFile: string; attributesFile: string; hasFsyncComponents: boolean },
): string {
  const copied = [...config].filter(([key]) => isCopied(key));
  const isExtended = copied.some(([key]) => key.startsWith("extensions."));
  const settings: [string, string][] = [
    ...copied,
    ["core.repositoryformatversion", isExtended ? "1" : "0"],
    ["core.bare", "false"],
    ["core.excludesfile", options.excludesFile],
    ["core.attributesfile", options.attributesFile],
    ["core.hookspath", "/dev/null"],
    ["core.fsmonitor", "false"],
    ["core.untrackedcache", "false"],
    ["core.splitindex", "false"],
    ["core.protecthfs", "true"],
    ["core.protectntfs", "true"],
    ...durability(options.hasFsyncComponents),
    ["index.sparse", "false"],
    ["gc.auto", "0"],
    ["maintenance.auto", "false"],
    ["protocol.allow", "never"],
    ["submodule.recurse", "false"],
  ];
  return settings.map(renderSetting).join("");
}

function isCopied(key: string): boolean {
  if (key.startsWith("extensions.")) return key !== worktreeConfig;
  return copiedKeys.includes(key);
}

/** Every object is synced on its own, unless a command says that a flush follows (`objectMethod`, `stagePaths`). */
function durability(hasFsyncComponents: boolean): [string, string][] {
  if (!hasFsyncComponents) return [["core.fsyncobjectfiles", "true"]];
  return [
    ["core.fsync", "committed"],
    ["core.fsyncmethod", "fsync"],
  ];
}

function renderSetting([key, value]: [string, string]): string {
  const dot = key.indexOf(".");
  const escaped = value.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n");
  return `[${key.slice(0, dot)}]\n\t${key.slice(dot + 1)} = "${escaped}"\n`;
}
