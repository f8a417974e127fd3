import { isUtf8 } from "node:buffer";
import type { RestEndpointMethodTypes } from "@octokit/rest";
import { RalphError } from "../../error.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { readBlobs } from "../../git/trees/objects.ts";
import { isAbsent, type TreeChange, treeChanges } from "../../git/trees/tree-changes.ts";
import { sendAgain } from "../api/create-once.ts";
import type { PublishDeps } from "../publication/publish-request.ts";

/** Larger files are sent as separate blobs; with `entriesPerTree` this keeps requests far below GitHub's 40 MB. */
const inlineBytes = 64 * 1024;
const entriesPerTree = 100;

type ApiDeps = Pick<PublishDeps, "github" | "clock">;

type Given = RestEndpointMethodTypes["git"]["createTree"]["parameters"]["tree"][number];
/** One entry of a tree: by id, by its text, or null to remove it. */
type Entry = Given & { path: string };

const act = "create the files of a commit";
const purpose = { act, permission: "contents: write", reason: "git" } as const;

/**
 * Makes a commit's tree on GitHub, from the tree of its first parent, which is already there. Ids depend on content only,
 * so everything may be sent again; a tree with another id than the local one is refused (V8).
 */
export async function makeTree(
  deps: ApiDeps,
  repo: Repository,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const changes = await treeChanges(repo, { from, to });
  requireNames(changes);
  const entries = await makeEntries(deps, repo, changes);
  let base = from;
  for (const tree of splitEntries(entries)) base = await createTree(deps, base, tree);
  if (base !== to) throw differs("tree", to, base);
}

/** JSON cannot hold other names. */
function requireNames(changes: readonly TreeChange[]): void {
  const odd = changes.find(({ path }) => !path.isWellFormed());
  if (!odd) return;
  throw new RalphError("git", {
    message: `The name of ${JSON.stringify(odd.path)} is not UTF-8, so GitHub's API cannot create it.`,
    remedy: "Rename the file, or set `commits: git`.",
  });
}

/** Removals first, then additions. Sends the contents that are new. */
async function makeEntries(
  deps: ApiDeps,
  repo: Repository,
  changes: readonly TreeChange[],
): Promise<Entry[]> {
  const removals = changes.filter(({ after }) => isAbsent(after));
  const additions = changes.filter(({ after }) => !isAbsent(after));
  const known = new Set(changes.map(({ before }) => before.id));
  const isNew = ({ after }: TreeChange) => after.mode !== "160000" && !known.has(after.id);
  const ids = new Set(additions.filter(isNew).map(({ after }) => after.id));
  const contents = await readBlobs(repo, [...ids]);
  const removed = removals.map(({ path, before }) => ({
    ...entryOf(path, before.mode),
    sha: null,
  }));
  const added: Entry[] = [];
  for (const { path, after } of additions) {
    const content = contents.get(after.id);
    const entry = entryOf(path, after.mode);
    if (content && isInline(after.mode, content)) {
      added.push({ ...entry, content: content.toString() });
      continue;
    }
    if (content) await createBlob(deps, after.id, content);
    // The same content under a second name is already there.
    contents.delete(after.id);
    added.push({ ...entry, sha: after.id });
  }
  return [...removed, ...added];
}

/** git has no other modes. */
const entryOf = (path: string, mode: string) => ({
  path,
  mode: mode as NonNullable<Given["mode"]>,
  type: mode === "160000" ? ("commit" as const) : ("blob" as const),
});

/** Plain text: JSON needs six bytes for a control character, and "" might count as absent. */
function isInline(mode: string, content: Buffer): boolean {
  const isSmall = content.length > 0 && content.length <= inlineBytes;
  return isSmall && mode !== "120000" && isUtf8(content) && !oddCharacter.test(content.toString());
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters searched for.
const oddCharacter = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/** Splits entries into requests of a limited size. When a file and a folder trade places, removals go first. */
function splitEntries(entries: readonly Entry[]): Entry[][] {
  const removed = entries.filter(isRemoval);
  const added = entries.filter((entry) => !isRemoval(entry));
  const isAbove = (one: Entry, other: Entry) => other.path.startsWith(`${one.path}/`);
  const hasClash = removed.some((old) =>
    added.some((entry) => isAbove(old, entry) || isAbove(entry, old)),
  );
  const parts = hasClash ? [removed, added] : [entries];
  return parts.flatMap((part) => [
    ...Map.groupBy(part, (entry) => Math.floor(part.indexOf(entry) / entriesPerTree)).values(),
  ]);
}

const isRemoval = ({ sha }: Entry) => sha === null;

async function createBlob({ github, clock }: ApiDeps, id: string, bytes: Buffer): Promise<void> {
  const blob = { ...github.repo, content: bytes.toString("base64"), encoding: "base64" };
  const { data } = await sendAgain(clock, () =>
    github.ask(purpose, ({ rest }) => rest.git.createBlob(blob)),
  );
  if (data.sha !== id) throw differs("file", id, data.sha);
}

async function createTree(
  { github, clock }: ApiDeps,
  base_tree: string,
  tree: Entry[],
): Promise<string> {
  const { data } = await sendAgain(clock, () =>
    github.ask(purpose, ({ rest }) => rest.git.createTree({ ...github.repo, base_tree, tree })),
  );
  return data.sha;
}

function differs(object: string, local: string, remote: string): RalphError {
  return new RalphError("git", {
    message: `GitHub made the ${object} ${remote} instead of ${local}. The branch was not moved.`,
    remedy: "Set `commits: git`, then publish again.",
  });
}
