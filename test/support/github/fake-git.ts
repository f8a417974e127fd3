import { rmSync } from "node:fs";
import { join } from "node:path";
import { runSmall } from "../project/small-shell.ts";
import { type Call, refused } from "./fake-routes.ts";
import type { Reply } from "./server.ts";

/** The Git data API on the bare repository: by git itself, so that ids, trees and what is a fast-forward are real. */
export const gitRoutes: Record<string, (call: Call) => Reply> = {
  "POST /repos/*/git/blobs": onBare(createBlob),
  "POST /repos/*/git/trees": onBare(createTree),
  "GET /repos/*/git/trees/*": onBare(readTree),
  "GET /repos/*/git/blobs/*": onBare(readBlob),
  "GET /repos/*/git/commits/*": onBare(({ bare, parts }) => commitReply(bare, parts[1] ?? "", 200)),
  "POST /repos/*/git/commits": onBare(createCommit),
  "GET /repos/*/git/ref/**": onBare(({ bare, parts }) => refReply(bare, `refs/${parts[1]}`, 200)),
  "GET /repos/*/git/matching-refs/**": onBare(listRefs),
  "POST /repos/*/git/refs": onBare(createRef),
  "PATCH /repos/*/git/refs/**": onBare(moveRef),
  "DELETE /repos/*/git/refs/**": onBare(deleteRef),
};

type GitCall = Call & { bare: string };

function onBare(route: (call: GitCall) => Reply): (call: Call) => Reply {
  return (call) => {
    const { bare } = call;
    if (bare === undefined) throw new Error("The fake GitHub was given no bare repository.");
    return route({ ...call, bare });
  };
}

type GitOptions = { input?: string | Buffer; env?: Record<string, string> };

function askGit(bare: string, args: readonly string[], { input = "", env = {} }: GitOptions = {}) {
  const { exitCode, stdout, stderr } = runSmall(["git", ...args], {
    cwd: bare,
    input,
    env: { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: "1", HOME: bare, ...env },
  });
  return { isDone: exitCode === 0, text: stdout.toString().trim(), stderr: stderr.toString() };
}

const isObject = (bare: string, id: string, type: string) =>
  /^[0-9a-f]{40}$/.test(id) && askGit(bare, ["cat-file", "-t", id]).text === type;

function createBlob({ bare, body }: GitCall): Reply {
  const { content = "", encoding = "utf-8" } = body as Record<string, string>;
  const input = encoding === "base64" ? Buffer.from(content, "base64") : content;
  const { text: sha } = askGit(bare, ["hash-object", "-w", "--stdin"], { input });
  return { status: 201, body: { sha } };
}

type Entry = { path: string; mode: string; type: string; sha?: string | null; content?: string };

function createTree({ bare, body }: GitCall): Reply {
  const { base_tree: base, tree } = body as { base_tree?: string; tree: Entry[] };
  const env = { GIT_INDEX_FILE: join(bare, "fake-index") };
  try {
    if (base && !askGit(bare, ["read-tree", base], { env }).isDone) {
      return refused(422, "base_tree is not a valid tree oid");
    }
    for (const entry of tree) {
      const why = addEntry(bare, entry, env);
      if (why) return refused(422, why);
    }
    const { isDone, text: sha, stderr } = askGit(bare, ["write-tree"], { env });
    return isDone ? { status: 201, body: { sha } } : refused(422, stderr);
  } finally {
    rmSync(env.GIT_INDEX_FILE, { force: true });
  }
}

function readTree({ bare, parts, query }: GitCall): Reply {
  const flags = query.has("recursive") ? ["-r", "-t"] : [];
  const { isDone, text } = askGit(bare, ["ls-tree", "-l", ...flags, parts[1] ?? ""]);
  if (!isDone) return refused(404, "Not Found");
  const tree = text.split("\n").flatMap((line) => {
    const [, mode, type, sha, size, path] = /^(\d+) (\w+) (\w+) +(\S+)\t(.+)$/.exec(line) ?? [];
    return path ? [{ path, mode, type, sha, ...(type === "blob" && { size: Number(size) }) }] : [];
  });
  return { body: { sha: parts[1], tree, truncated: false } };
}

function readBlob({ bare, parts }: GitCall): Reply {
  const sha = parts[1] ?? "";
  if (!isObject(bare, sha, "blob")) return refused(404, "Not Found");
  const { text } = askGit(bare, ["cat-file", "blob", sha]);
  return { body: { sha, encoding: "base64", content: Buffer.from(text).toString("base64") } };
}

/** Answers why GitHub would not take it. */
function addEntry(bare: string, entry: Entry, env: Record<string, string>): string | undefined {
  const { path, mode, type, sha, content } = entry;
  const isKnown = askGit(bare, ["ls-files", "--error-unmatch", "--", path], { env }).isDone;
  if (sha === null && !isKnown) return "GitRPC::BadObjectState";
  const id =
    sha === undefined
      ? askGit(bare, ["hash-object", "-w", "--stdin"], { input: content ?? "" }).text
      : sha;
  if (id !== null && mode !== "160000" && !isObject(bare, id, type)) {
    return `tree.sha ${id} is not a valid ${type}`;
  }
  const line = id === null ? `0 ${"0".repeat(40)}\t${path}\0` : `${mode} ${id}\t${path}\0`;
  // Without --replace: a file and a folder of one name are not taken.
  const args = ["update-index", "--add", "-z", "--index-info"];
  return askGit(bare, args, { env, input: line }).isDone ? undefined : "GitRPC::BadObjectState";
}

/** What GitHub signs has a line for it in the commit. */
const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n fake\n -----END PGP SIGNATURE-----\n";

function createCommit({ bare, body, viewer, now, signsCommits }: GitCall): Reply {
  type Person = { name: string; email: string; date?: string };
  type Asked = { message: string; tree: string; parents?: string[]; author?: Person };
  const { message, tree, parents = [], author } = body as Asked;
  if (!isObject(bare, tree, "tree")) return refused(422, "Tree SHA does not exist");
  if (!parents.every((parent) => isObject(bare, parent, "commit"))) {
    return refused(422, "Parent SHA does not exist or is not a commit object");
  }
  const isSigned = signsCommits && !author && viewer.type === "Bot";
  const { name, email } = author ?? { name: viewer.login, email: `${viewer.login}@example.org` };
  const person = `${name} <${email}> ${Math.floor(now / 1000)} +0000`;
  const lines = [
    `tree ${tree}\n`,
    ...parents.map((parent) => `parent ${parent}\n`),
    `author ${person}\ncommitter ${person}\n`,
    isSigned ? signature : "",
    `\n${message}`,
  ];
  const args = ["hash-object", "-t", "commit", "-w", "--stdin"];
  const { text: sha } = askGit(bare, args, { input: lines.join("") });
  return commitReply(bare, sha, 201);
}

function commitReply(bare: string, id: string, status: number): Reply {
  if (!isObject(bare, id, "commit")) return refused(404, "Not Found");
  const raw = askGit(bare, ["cat-file", "commit", id]).text;
  const tree = /^tree (.+)$/m.exec(raw)?.[1];
  const parents = [...raw.matchAll(/^parent (.+)$/gm)].map(([, sha]) => ({ sha }));
  const verified = raw.includes("\ngpgsig ");
  const verification = { verified, reason: verified ? "valid" : "unsigned" };
  const message = raw.slice(raw.indexOf("\n\n") + 2);
  return { status, body: { sha: id, tree: { sha: tree }, parents, message, verification } };
}

const readRef = (bare: string, ref: string) =>
  askGit(bare, ["for-each-ref", "--format=%(objectname)", ref]).text.split("\n")[0] ?? "";

function refReply(bare: string, ref: string, status: number): Reply {
  const sha = askGit(bare, ["rev-parse", "--verify", "-q", ref]).text;
  if (!sha) return refused(404, "Not Found");
  return { status, body: { ref, object: { type: "commit", sha } } };
}

function listRefs({ bare, parts }: GitCall): Reply {
  const { text } = askGit(bare, ["for-each-ref", "--format=%(refname)"]);
  const refs = text.split("\n").filter((ref) => ref.startsWith(`refs/${parts[1]}`));
  return { body: refs.map((ref) => refReply(bare, ref, 200).body) };
}

function createRef({ bare, body, state }: GitCall): Reply {
  const { ref = "", sha = "" } = body as Record<string, string>;
  if (ref.startsWith("refs/heads/") && state.rules.includes("creation")) {
    const why = "Cannot create ref due to creations being restricted.";
    return refused(422, `Repository rule violations found\n\n${why}\n\n`);
  }
  if (!/^refs\/[^/]+\/./.test(ref)) return refused(422, "Reference name must start with 'refs'");
  if (!isObject(bare, sha, "commit")) return refused(422, "Object does not exist");
  const { isDone } = askGit(bare, ["update-ref", ref, sha, "0".repeat(40)]);
  return isDone ? refReply(bare, ref, 201) : refused(422, "Reference already exists");
}

function moveRef({ bare, body, parts }: GitCall): Reply {
  const { sha = "", force = false } = body as { sha?: string; force?: boolean };
  const ref = `refs/${parts[1]}`;
  const from = readRef(bare, ref);
  if (!from) return refused(422, "Reference does not exist");
  if (!isObject(bare, sha, "commit")) return refused(422, "Object does not exist");
  if (!force && !askGit(bare, ["merge-base", "--is-ancestor", from, sha]).isDone) {
    return refused(422, "Update is not a fast forward");
  }
  askGit(bare, ["update-ref", ref, sha, from]);
  return refReply(bare, ref, 200);
}

function deleteRef({ bare, parts }: GitCall): Reply {
  const ref = `refs/${parts[1]}`;
  if (!readRef(bare, ref)) return refused(422, "Reference does not exist");
  askGit(bare, ["update-ref", "-d", ref]);
  return { status: 204 };
}
