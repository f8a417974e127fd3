import { createHash } from "node:crypto";
import { type Call, refused } from "./fake-routes.ts";
import type { FakeCommit } from "./fake-state.ts";
import type { Reply } from "./server.ts";

/**
 * As much of the Git data API as needs no repository: commits on trees nobody looks into, and refs. It is fast, ids are
 * what git would make of them, and it can be remembered for stale reads.
 */
export const memoryGitRoutes: Record<string, (call: Call) => Reply> = {
  "POST /repos/*/git/trees": ({ state, body }) => {
    const sha = idOf("tree", JSON.stringify(body.tree));
    state.git.trees[sha] = true;
    return { status: 201, body: { sha } };
  },
  "GET /repos/*/git/commits/*": (call) => commitReply(call, call.parts[1] ?? "", 200),
  "POST /repos/*/git/commits": createCommit,
  "GET /repos/*/git/ref/**": (call) => refReply(call, `refs/${call.parts[1]}`, 200),
  "GET /repos/*/git/matching-refs/**": (call) => {
    const start = `refs/${call.parts[1]}`;
    const refs = Object.keys(call.state.git.refs).filter((ref) => ref.startsWith(start));
    return { body: refs.sort().map((ref) => refReply(call, ref, 200).body) };
  },
  "POST /repos/*/git/refs": createRef,
  "PATCH /repos/*/git/refs/**": moveRef,
  "DELETE /repos/*/git/refs/**": ({ state, parts }) => {
    const ref = `refs/${parts[1]}`;
    if (!state.git.refs[ref]) return refused(422, "Reference does not exist");
    delete state.git.refs[ref];
    return { status: 204 };
  },
};

const idOf = (type: string, content: string) =>
  createHash("sha1")
    .update(`${type} ${Buffer.byteLength(content)}\0${content}`)
    .digest("hex");

function createCommit(call: Call): Reply {
  const { state, body, viewer, now } = call;
  const { message, tree, parents = [] } = body as unknown as FakeCommit;
  if (!state.git.trees[tree]) return refused(422, "Tree SHA does not exist");
  if (!parents.every((parent) => state.git.commits[parent])) {
    return refused(422, "Parent SHA does not exist or is not a commit object");
  }
  const person = `${viewer.login} <> ${Math.floor(now / 1000)} +0000`;
  const lines = [
    `tree ${tree}\n`,
    ...parents.map((parent) => `parent ${parent}\n`),
    `author ${person}\ncommitter ${person}\n\n${message}`,
  ];
  const sha = idOf("commit", lines.join(""));
  state.git.commits[sha] = { message, tree, parents };
  return commitReply(call, sha, 201);
}

function commitReply({ state }: Call, sha: string, status: number): Reply {
  const commit = state.git.commits[sha];
  if (!commit) return refused(404, "Not Found");
  const parents = commit.parents.map((parent) => ({ sha: parent }));
  const verification = { verified: false, reason: "unsigned" };
  const tree = { sha: commit.tree };
  return { status, body: { sha, message: commit.message, tree, parents, verification } };
}

function refReply({ state }: Call, ref: string, status: number): Reply {
  const sha = state.git.refs[ref];
  return sha
    ? { status, body: { ref, object: { type: "commit", sha } } }
    : refused(404, "Not Found");
}

function createRef(call: Call): Reply {
  const { refs, commits } = call.state.git;
  const { ref = "", sha = "" } = call.body as Record<string, string>;
  if (!/^refs\/[^/]+\/./.test(ref)) return refused(422, "Reference name must start with 'refs'");
  if (!commits[sha]) return refused(422, "Object does not exist");
  if (refs[ref]) return refused(422, "Reference already exists");
  refs[ref] = sha;
  return refReply(call, ref, 201);
}

function moveRef(call: Call): Reply {
  const { refs, commits } = call.state.git;
  const { sha = "", force = false } = call.body as { sha?: string; force?: boolean };
  const ref = `refs/${call.parts[1]}`;
  const from = refs[ref];
  if (!from) return refused(422, "Reference does not exist");
  if (!commits[sha]) return refused(422, "Object does not exist");
  if (!force && !isAfter(commits, sha, from)) return refused(422, "Update is not a fast forward");
  refs[ref] = sha;
  return refReply(call, ref, 200);
}

function isAfter(
  commits: Readonly<Record<string, FakeCommit>>,
  sha: string,
  from: string,
): boolean {
  if (sha === from) return true;
  return (commits[sha]?.parents ?? []).some((parent) => isAfter(commits, parent, from));
}
