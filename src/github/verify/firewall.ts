import { dirname, join } from "node:path/posix";
import { sameNames } from "../../core/checks/path-pattern.ts";
import { protectedChanges } from "../../core/checks/protection.ts";
import { bareRepositories } from "../../git/worktree/changes.ts";
import type { Protect } from "../../schema/config/safety.ts";
import type { FindSecrets } from "./find-secrets.ts";
import { addedLines, changedBytes, type FileSide, type Patch, type PatchFile } from "./patch.ts";

/** A change that must not be published or, when only flagged, that a reviewer should look at. */
export interface FirewallViolation {
  path: string;
  rule: string;
  message: string;
}

/** Settings from the start commit and this process, never from the patch. */
export interface FirewallSettings {
  protect: Protect;
  /** Bookkeeping files named by the start commit's configuration; their content is checked elsewhere. */
  own: readonly string[];
  /** Names of files and folders that agent programs read. */
  agentFiles: readonly string[];
  findSecrets: FindSecrets;
}

export interface FirewallRule {
  name: string;
  check: (patch: Patch, settings: FirewallSettings) => Omit<FirewallViolation, "rule">[];
}

/** The whole firewall: a new rule is a line here and a function below. */
export const firewallRules: readonly FirewallRule[] = [
  { name: "protected", check: touchesProtected },
  { name: "max_files", check: hasTooManyFiles },
  { name: "max_patch_bytes", check: isTooLarge },
  { name: "max_file_bytes", check: hasLargeFiles },
  { name: "mode", check: hasOddModes },
  { name: "link", check: hasStrayLinks },
  { name: "bare-repository", check: hasBareRepository },
  { name: "same-name", check: hasCollisions },
  { name: "secret", check: holdsSecrets },
];

/** All reasons why a patch must not leave this machine (design 5, T19, T43 to T45). Pure. */
export function checkPatch(patch: Patch, settings: FirewallSettings): FirewallViolation[] {
  return firewallRules.flatMap(({ name, check }) =>
    check(patch, settings).map((finding) => ({ ...finding, rule: name })),
  );
}

/** Legitimate, but worth a look: files that became executable. */
export function flaggedModes({ files }: Patch): FirewallViolation[] {
  return files
    .filter(({ before, after }) => after?.mode === "100755" && before?.mode !== "100755")
    .map(({ path }) => ({ path, rule: "executable", message: "has become executable" }));
}

function touchesProtected({ files }: Patch, settings: FirewallSettings) {
  const { protect, own, agentFiles } = settings;
  const others = files.filter(({ path, after }) => !own.includes(path) || after?.mode !== "100644");
  const refused = protectedChanges(others, { allow: protect.allow, own, agentFiles });
  return refused.map((path) => ({ path, message: "is protected: tasks must not change it" }));
}

function hasTooManyFiles({ files }: Patch, { protect }: FirewallSettings) {
  if (files.length <= protect.max_files) return [];
  const message = `has ${files.length} changed files; protect.max_files is ${protect.max_files}`;
  return [{ path: "the commit", message }];
}

function isTooLarge({ files }: Patch, { protect }: FirewallSettings) {
  const bytes = files.reduce((sum, file) => sum + changedBytes(file), 0);
  if (bytes <= protect.max_patch_bytes) return [];
  const message = `changes ${bytes} bytes; protect.max_patch_bytes is ${protect.max_patch_bytes}`;
  return [{ path: "the commit", message }];
}

function hasLargeFiles({ files }: Patch, { protect: { max_file_bytes: max } }: FirewallSettings) {
  return files.flatMap(({ path, after }) => {
    if (!after || after.bytes <= max) return [];
    return { path, message: `has ${after.bytes} bytes; protect.max_file_bytes is ${max}` };
  });
}

const knownModes = new Set(["100644", "100755", "120000"]);

function hasOddModes({ files }: Patch) {
  const isOdd = (side: FileSide | undefined) => side && !knownModes.has(side.mode);
  const odd = files.filter(({ before, after }) => isOdd(before) || isOdd(after));
  const message = "is neither a file nor a link: another repository, or an unknown mode";
  return odd.map(({ path }) => ({ path, message }));
}

function hasStrayLinks({ files }: Patch) {
  const message = "is a link that leads out of the repository or into its .git";
  return files.filter(isStrayLink).map(({ path }) => ({ path, message }));
}

function isStrayLink({ path, after }: PatchFile): boolean {
  if (after?.mode !== "120000") return false;
  const target = after.content?.toString() ?? "/";
  const landing = join(dirname(path), target);
  const isOutside = target.startsWith("/") || landing === ".." || landing.startsWith("../");
  const isOdd = /[\0\\]/.test(target) || goesBackLater(target);
  const folded = landing.normalize("NFKC").toLowerCase();
  return isOutside || isOdd || folded.split("/").includes(".git");
}

/** After another name, which may be a link, `..` could lead anywhere; so it is only allowed at the start (T44). */
function goesBackLater(target: string): boolean {
  const parts = target.split("/").filter((part) => part !== "" && part !== ".");
  const first = parts.findIndex((part) => part !== "..");
  return first >= 0 && parts.slice(first).includes("..");
}

function hasBareRepository({ files, paths }: Patch) {
  const folders = [...bareRepositories(paths)];
  return files
    .filter(({ path, after }) => after && folders.some((folder) => path.startsWith(folder)))
    .map(({ path }) => ({ path, message: "belongs to a folder that git treats as a repository" }));
}

/** Names that are one file on some file systems, where the checkout would differ from the review. */
function hasCollisions({ files, paths }: Patch) {
  const changed = files.flatMap(({ path, after }) => (after ? [path] : []));
  const message = "has the same name as another file, apart from case or accents";
  return sameNames(changed, paths).map((path) => ({ path, message }));
}

function holdsSecrets({ files, text }: Patch, { findSecrets }: FirewallSettings) {
  const texts = files.flatMap((file): [string, string][] =>
    file.after ? [[file.path, [file.path, ...addedLines(file)].join("\n")]] : [],
  );
  const found = [["the commit", text], ...texts].flatMap(([path = "", text = ""]) =>
    findSecrets(text).map((kind) => ({ path, message: `holds ${kind}` })),
  );
  const unread = files.filter(({ after }) => after && !after.content && after.mode !== "160000");
  const message = "is too large to search for secrets";
  return [...found, ...unread.map(({ path }) => ({ path, message }))];
}
