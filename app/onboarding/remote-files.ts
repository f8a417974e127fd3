import type { GitHub } from "../../src/github/api/create-github.ts";
import type { FileStat, ReadFiles } from "../../src/platform/system.ts";

type Entry = Awaited<ReturnType<typeof readTree>>["tree"][number];

const purpose = { act: "read the files", permission: "contents: read", reason: "config" } as const;

/** Manifests are small; larger files are ignored. */
const maxBytes = 1024 * 1024;

/**
 * The files of a commit on GitHub as a folder; no link is followed. If the tree is too large for one answer, the root is
 * complete, and below it there is as much as GitHub lists.
 */
export async function remoteFiles(github: GitHub, commit: string): Promise<ReadFiles> {
  const whole = await readTree(github, commit, { recursive: "1" });
  const root = whole.truncated ? await readTree(github, commit, {}) : whole;
  const entries = new Map([...whole.tree, ...root.tree].map((entry) => [entry.path, entry]));
  const folders = foldersOf(entries.keys());
  return {
    root: `/${github.repository}`,
    read: async (path, options) => {
      const entry = entries.get(clean(path));
      const most = Math.min(options?.maxBytes ?? maxBytes, maxBytes);
      const isWanted = entry && kindOf(entry) === "file" && (entry.size ?? 0) <= most;
      return isWanted ? readBlob(github, entry.sha) : undefined;
    },
    stat: async (path) => {
      const entry = entries.get(clean(path));
      if (entry) return { kind: kindOf(entry), bytes: entry.size ?? 0, changedMs: 0 };
      return folders.has(clean(path)) ? { kind: "folder", bytes: 0, changedMs: 0 } : undefined;
    },
    list: async (path) => [...(folders.get(clean(path)) ?? [])].toSorted(),
  };
}

async function readTree(github: GitHub, sha: string, depth: { recursive?: string }) {
  const { data } = await github.ask(purpose, ({ rest }) =>
    rest.git.getTree({ ...github.repo, tree_sha: sha, ...depth }),
  );
  return data;
}

async function readBlob(github: GitHub, sha: string): Promise<Buffer> {
  const { data } = await github.ask(purpose, ({ rest }) =>
    rest.git.getBlob({ ...github.repo, file_sha: sha }),
  );
  return Buffer.from(data.content, "base64");
}

function kindOf({ mode, type }: Entry): FileStat["kind"] {
  if (type === "tree") return "folder";
  if (type === "commit") return "other";
  return mode === "120000" ? "link" : "file";
}

/** The names in each folder; `""` is the root. */
function foldersOf(paths: Iterable<string>): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>([["", new Set()]]);
  for (const path of paths) {
    const at = path.lastIndexOf("/");
    const folder = path.slice(0, Math.max(0, at));
    folders.set(folder, (folders.get(folder) ?? new Set()).add(path.slice(at + 1)));
  }
  return folders;
}

const clean = (path: string) => path.replace(/^\.(?:\/|$)/, "").replace(/\/$/, "");
