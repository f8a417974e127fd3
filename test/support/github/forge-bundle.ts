import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashLine } from "../../../src/journal/line.ts";
import { askGit } from "../project/small-shell.ts";

/** A file somebody hostile adds to the commit of the session's one task; `mode` as git writes it. */
export interface Addition {
  path: string;
  content: string;
  mode?: string;
  /** The gates never saw it: it is not in the tree that was proved. */
  isUnproved?: true;
}

type Line = Record<string, unknown> & { type: string; seq: number; prev: string };
type Forgery = {
  root: string;
  bundle: string;
  additions: readonly Addition[];
  /** Words of the journal and what stands there instead. */
  words?: Record<string, string>;
};

/**
 * Rewrites a bundle of one task as somebody would who knows everything about it: the journal has proved a tree with the
 * additions, and chain, commit, trailers and pack agree with it. `ralph audit` finds nothing.
 */
export function forgeBundle({ root, bundle, additions, words = {} }: Forgery): string {
  const file = join(bundle, "journal.jsonl");
  const git = createGit(root, bundle);
  const before = replace(parse(readFileSync(file, "utf8")), words);
  const seen = additions.filter(({ isUnproved }) => !isUnproved);
  const pass = lineOf(before, "task_passed");
  const committed = lineOf(before, "task_committed");
  const [proved, tree, commit] = [`${pass.tree}`, `${committed.tree}`, `${committed.commit}`];
  const forgedTree = git.treeWith(tree, additions);
  const trees = { [proved]: git.treeWith(proved, seen), [tree]: forgedTree };
  const lines = chain(replace(before, trees));
  const { seq, prev } = lineOf(lines, "task_passed");
  const message = git
    .run("log", "-1", "--format=%B", commit)
    .replace(/Ralph-Journal: .*/, `Ralph-Journal: ${seq - 1}:${prev}`);
  const forged = git.run("commit-tree", "-p", `${pass.parent}`, "-m", message, forgedTree);
  const final = chain(replace(lines, { [commit]: forged }));
  writeFileSync(file, final.map((line) => `${JSON.stringify(line)}\n`).join(""));
  git.pack(`${forged}\n^${pass.parent}\n`);
  return forged;
}

/** Rewrites words of a journal, and makes its chain anew. */
export function rewriteJournal(bundle: string, words: Record<string, string>): void {
  const file = join(bundle, "journal.jsonl");
  const lines = chain(replace(parse(readFileSync(file, "utf8")), words));
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

const parse = (text: string): Line[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

function lineOf(lines: readonly Line[], type: string): Line {
  const found = lines.find((line) => line.type === type);
  if (!found) throw new Error(`The journal has no ${type}.`);
  return found;
}

function replace(lines: readonly Line[], words: Record<string, string>): Line[] {
  const renamed = Object.entries(words).reduce(
    (text, [from, to]) => text.replaceAll(from, to),
    JSON.stringify(lines),
  );
  return JSON.parse(renamed);
}

function chain(lines: readonly Line[]): Line[] {
  let prev = "0".repeat(64);
  return lines.map((line) => {
    const chained = { ...line, prev };
    prev = hashLine(JSON.stringify(chained));
    return chained;
  });
}

function createGit(root: string, bundle: string) {
  const env = {
    PATH: process.env.PATH,
    GIT_INDEX_FILE: join(bundle, "..", "forged-index"),
    GIT_AUTHOR_NAME: "Eve",
    GIT_AUTHOR_EMAIL: "eve@example.org",
    GIT_COMMITTER_NAME: "Eve",
    GIT_COMMITTER_EMAIL: "eve@example.org",
  };
  const ask = (args: readonly string[], input = "") => askGit(args, { cwd: root, env, input });
  const run = (...args: string[]) => ask(args).toString().trim();
  return {
    run,
    treeWith: (tree: string, additions: readonly Addition[]) => {
      run("read-tree", tree);
      for (const { path, content, mode = "100644" } of additions) {
        const isGitlink = mode === "160000";
        const id = isGitlink
          ? content
          : ask(["hash-object", "-w", "--stdin"], content).toString().trim();
        run("update-index", "--add", "--replace", "--cacheinfo", `${mode},${id},${path}`);
      }
      return run("write-tree");
    },
    pack: (revisions: string) => {
      const pack = ask(["pack-objects", "--revs", "--stdout", "-q"], revisions);
      writeFileSync(join(bundle, "objects.pack"), pack);
    },
  };
}
