import { pathMatcher } from "./path-pattern.ts";

/** A path that differs from the tree before, relative to the project root. */
export interface ChangedPath {
  path: string;
  kind: "added" | "modified" | "deleted" | "type-changed";
  /** The path is now a link. */
  isLink?: boolean;
}

export interface Protection {
  /** `protect.allow` of the start commit: globs that lift the protection. */
  allow: readonly string[];
  /** Files and folders that ralph writes, wherever the user puts them. Nothing lifts their protection. */
  own: readonly string[];
  /** Names of files and folders that the supported agent programs read (`agentFiles`). */
  agentFiles: readonly string[];
}

/** Protected at the root only, where CI systems and ralph read them; templates of them may lie deeper down. */
const rootNames = [
  ...[".github", ".ralph", ".ralph-session"],
  ...[".gitlab-ci.yml", ".gitlab", ".circleci", ".travis.yml", "Jenkinsfile", ".buildkite"],
  ...["azure-pipelines.yml", ".azure-pipelines", "bitbucket-pipelines.yml", ".drone.yml"],
  ...[".woodpecker.yml", ".woodpecker", ".cirrus.yml", ".appveyor.yml", "appveyor.yml"],
  ...[".semaphore", ".teamcity", ".forgejo", ".gitea", ".mailmap"],
];

/** Files and folders that steer git, reviews, editors or agent programs without a driver here; tools read them at any depth (T07, T08, T43). */
const namesAnywhere = [
  ...[".gitattributes", ".gitmodules", "CODEOWNERS", ".husky", ".overcommit.yml"],
  ...["lefthook.yml", ".lefthook.yml", "lefthook.yaml", ".lefthook.yaml", ".lefthook"],
  ...[
    ".vscode/tasks.json",
    ".vscode/launch.json",
    ".vscode/mcp.json",
    ".idea",
    ".zed",
    ".fleet",
    ".devcontainer",
    ".devcontainer.json",
    ".envrc",
  ],
  ...["AGENTS.md", "AGENT.md", ".agents", ".aider.conf.yml", ".amazonq", ".augment"],
  ...[".augment-guidelines", ".clinerules", ".continue", ".crush", "crush.json", ".cursor"],
  ...[".cursorrules", ".factory", ".goosehints", ".junie", ".kiro", ".opencode"],
  ...["opencode.json", "opencode.jsonc", ".openhands", ".qwen", "QWEN.md", ".roo", ".roomodes"],
  ...[".roorules", ".rules", ".trae", "WARP.md", ".windsurf", ".windsurfrules"],
];

/** Names of the files and folders that steer programs of the user, with those of the agent programs. */
export const steeringNames = (agentFiles: readonly string[]): string[] => [
  ...namesAnywhere,
  ...agentFiles,
];

/** Changes no task may make (design 5). Names are compared as the most forgiving file system would; `allow` lifts exact names only (T37, T44). */
export function protectedChanges(
  changes: readonly Pick<ChangedPath, "path">[],
  { allow, own, agentFiles }: Protection,
): string[] {
  const isAllowed = pathMatcher(allow);
  const isOwn = ownMatcher(own);
  const isProtected = nameMatcher(steeringNames(agentFiles));
  const isRefused = (path: string) => isOwn(path) || (isProtected(path) && !isAllowed(path));
  return changes.map(({ path }) => path).filter(isRefused);
}

/** Matches ralph's own files, paths inside its folders, and paths that replace a folder above them. */
function ownMatcher(own: readonly string[]): (path: string) => boolean {
  const ours = own.map(ownKey);
  return (path) => {
    const key = ownKey(path);
    const isAbove = (folder: string, other: string) => other.startsWith(`${folder}/`);
    return ours.some((each) => each === key || isAbove(each, key) || isAbove(key, each));
  };
}

/** Keeps leading `../`: a folder outside the project may have the same name as one inside. */
function ownKey(path: string): string {
  const outside = /^(?:\.\.\/)*/.exec(path)?.[0] ?? "";
  return `${outside}${foldedParts(path).join("/")}`;
}

/** Whether a path is below a protected folder of the root, or has one of the names in any of its folders. */
function nameMatcher(names: readonly string[]): (path: string) => boolean {
  const atRoot = new Set(rootNames.flatMap(foldedParts));
  const wanted = names.map((name) => `/${foldedParts(name).join("/")}/`);
  return (path) => {
    const parts = foldedParts(path);
    const whole = `/${parts.join("/")}/`;
    return atRoot.has(parts[0] ?? "") || wanted.some((name) => whole.includes(name));
  };
}

/** The parts of a path as the most forgiving file system reads them: no case, invisible characters, trailing dots or stream names. */
function foldedParts(path: string): string[] {
  return path
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .split(/[/\\]/u)
    .map((part) => part.replace(/:.*$/su, "").replace(/[. ]+$/u, ""))
    .filter((part) => part !== "");
}
