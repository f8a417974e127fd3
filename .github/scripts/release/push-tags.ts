import { RalphError } from "../../../src/error.ts";
import type { Git } from "./git.ts";
import { isNewer, parseVersion, type Version } from "./version.ts";

/** Where a tag stands: its own object, and the commit it leads to. */
export type RemoteTag = { id: string; commit: string };
export type Pushed = { moved: string[]; kept: string[] };
type Move = { tag: string; from: string };

/** Moves the version's tag and the major tag to the release, both or none; never back, never over another's move. */
export function pushTags(
  git: Git,
  { version, commit, release }: { version: Version; commit: string; release: string },
): Pushed {
  const tags = readTags(git);
  requireOurs(tags.get(version.tag), { version, commit, release });
  const isKept = isAhead(tags, version);
  const wanted = isKept ? [version.tag] : [version.tag, version.major];
  const moves = wanted
    .filter((tag) => tags.get(tag)?.id !== release)
    .map((tag) => ({ tag, from: tags.get(tag)?.id ?? "" }));
  if (moves.length > 0) push(git, release, moves);
  return { moved: moves.map(({ tag }) => tag), kept: isKept ? [version.major] : [] };
}

function push(git: Git, release: string, moves: readonly Move[]): void {
  git.text([
    "push",
    "--atomic",
    "--no-verify",
    ...moves.map(({ tag, from }) => `--force-with-lease=refs/tags/${tag}:${from}`),
    "origin",
    ...moves.map(({ tag }) => `${release}:refs/tags/${tag}`),
  ]);
}

function readTags(git: Git): Map<string, RemoteTag> {
  const tags = new Map<string, RemoteTag>();
  for (const line of git.text(["ls-remote", "--tags", "origin"]).split("\n")) {
    const [, id = "", tag = "", peeled] = /^(\w+)\trefs\/tags\/(.+?)(\^\{\})?$/.exec(line) ?? [];
    if (tag !== "") tags.set(tag, { id: peeled ? (tags.get(tag)?.id ?? id) : id, commit: id });
  }
  return tags;
}

function requireOurs(
  tag: RemoteTag | undefined,
  { version, commit, release }: { version: Version; commit: string; release: string },
): void {
  if (tag === undefined || tag.commit === commit || tag.commit === release) return;
  throw new RalphError("git", {
    message: `${version.tag} is at ${tag.commit.slice(0, 12)}: neither the commit to release nor its release.`,
    remedy: "Give the release a version of its own; published versions stay what they are.",
  });
}

/** Whether the major tag stands where the tag of a newer version stands. */
function isAhead(tags: ReadonlyMap<string, RemoteTag>, version: Version): boolean {
  const holder = tags.get(version.major)?.commit;
  return [...tags].some(([name, { commit }]) => {
    const other = parseVersion(name);
    return commit === holder && other?.tag === name && isNewer(other, version);
  });
}
