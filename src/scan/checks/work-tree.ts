import { type DirtyPaths, dirtyPaths } from "../../git/commits/start-point.ts";
import { readBlob } from "../../git/trees/objects.ts";
import { filteredPaths } from "../../git/worktree/filtered-paths.ts";
import { runsInCi } from "../../platform/runs-in-ci.ts";
import { liveChanges } from "../../session/loop/see-changes.ts";
import { type Check, type CheckResult, failure, listLines, pass, warningResult } from "../check.ts";
import type { ScanContext } from "../scan-context.ts";

/** Checks for what stops a run from starting: uncommitted changes and ignored project files. */
export const workTree: Check = {
  name: "work-tree",
  needs: ["repo"],
  run: async (context) => {
    const repo = await context.repo();
    const { ours, others } = await withoutLive(context, await dirtyPaths(repo));
    const ignored = await ignoredFile(context, { ours, others });
    if (ignored !== undefined) return ignored;
    const isCi = runsInCi(context.system.env);
    const blocking = [...others.map(({ path }) => path), ...(isCi ? ours : [])];
    if (blocking.length === 0) return clean(ours);
    const filtered = await filteredPaths(repo, blocking);
    if (filtered.size === blocking.length) return unrefreshed(blocking);
    return unclean(blocking, { hasOurs: ours.length > 0 });
  },
};

/** Text that an earlier session wrote into the work tree alone stops no run. */
async function withoutLive(context: ScanContext, { ours, others }: DirtyPaths) {
  const found = await context.config().catch(() => undefined);
  if (!found) return { ours, others };
  const paths = others.map(({ path }) => path);
  const live = await liveChanges(await context.repo(), found.config, { paths, treeish: "HEAD" });
  return { ours, others: others.filter(({ path }) => !live.has(path)) };
}

const clean = (ours: readonly string[]) =>
  pass(
    ours.length === 0
      ? "clean"
      : `clean except for new files, which a run commits first: ${ours.join(", ")}`,
  );

const refusal = "not clean; `ralph run` would refuse to start:";

/** Suggests a commit instead of a stash when the stash would take ralph's own new files. */
function unclean(paths: readonly string[], { hasOurs }: { hasOurs: boolean }): CheckResult {
  const commit = 'git add --all && git commit -m "Before ralph"';
  return warningResult([refusal, ...listLines(paths)].join("\n"), {
    remedy: "Commit or stash these changes.",
    fixes: [{ command: hasOurs ? commit : "git stash -u" }],
  });
}

/** After a fresh clone git's index is not newer than the files, so git compares them without the filter. */
const unrefreshed = (paths: readonly string[]) =>
  warningResult(
    [refusal, ...listLines(paths), "  All of them are behind a filter such as git-lfs."].join("\n"),
    {
      remedy: "If `git status` shows no change, refresh git's index; otherwise commit these files.",
      fixes: [{ command: "git update-index --refresh" }],
    },
  );

/** A run reads its files from the start commit, which can never hold an ignored file. */
async function ignoredFile(context: ScanContext, { ours, others }: DirtyPaths) {
  const config = await context.config().catch(() => undefined);
  const paths = [context.configPath, ...(config ? [config.config.task_source.path] : [])];
  for (const path of paths.map((each) => each.replace(/^\.\//, ""))) {
    const isNew = ours.includes(path) || others.some((each) => each.path === path);
    const isThere = await context.system.files(context.root).stat(path);
    if (!isThere || isNew) continue;
    if (await readBlob(await context.repo(), { treeish: "HEAD", path })) continue;
    return failure(`${path} is not in the current commit; git probably ignores it.`, {
      path,
      remedy: "Remove it from .gitignore, then add and commit it.",
      fixes: [{ command: `git add --force ${path} && git commit -m "chore: ralph"` }],
    });
  }
  return undefined;
}
