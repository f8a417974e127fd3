import { type DirtyPaths, dirtyPaths } from "../../git/commits/start-point.ts";
import { readBlob } from "../../git/trees/objects.ts";
import { filteredPaths } from "../../git/worktree/filtered-paths.ts";
import { type Check, type CheckResult, failure, listLines, pass, warningResult } from "../check.ts";
import type { ScanContext } from "../scan-context.ts";

/** What a run would refuse to begin with: changes that are not committed, and project files git ignores. */
export const workTree: Check = {
  name: "work-tree",
  needs: ["repo"],
  run: async (context) => {
    const repo = await context.repo();
    const { ours, others } = await dirtyPaths(repo);
    const ignored = await ignoredFile(context, { ours, others });
    if (ignored !== undefined) return ignored;
    const blocking = [...others.map(({ path }) => path), ...(isCi(context) ? ours : [])];
    if (blocking.length === 0) return clean(ours);
    const filtered = await filteredPaths(repo, blocking);
    if (filtered.size === blocking.length) return unrefreshed(blocking);
    return unclean(blocking, { hasOurs: ours.length > 0 });
  },
};

const isCi = ({ system: { env } }: ScanContext) =>
  env.CI === "true" || env.GITHUB_ACTIONS === "true";

const clean = (ours: readonly string[]) =>
  pass(
    ours.length === 0
      ? "clean"
      : `clean but for new files, which a run commits first: ${ours.join(", ")}`,
  );

const refusal = "not clean; `ralph run` would refuse to begin:";

/** To put everything aside would take our own new files away too. */
function unclean(paths: readonly string[], { hasOurs }: { hasOurs: boolean }): CheckResult {
  const commit = 'git add --all && git commit -m "Before ralph"';
  return warningResult([refusal, ...listLines(paths)].join("\n"), {
    remedy: "Commit these changes, or put them aside.",
    fixes: [{ command: hasOurs ? commit : "git stash -u" }],
  });
}

/** git compares contents, without the filter, until its index is newer than the files: after a fresh clone it is not. */
const unrefreshed = (paths: readonly string[]) =>
  warningResult(
    [refusal, ...listLines(paths), "  All of them are behind a filter such as git-lfs."].join("\n"),
    {
      remedy:
        "If `git status` sees no change there, bring git's index up to date; else commit them.",
      fixes: [{ command: "git update-index --refresh" }],
    },
  );

/** A run reads its files from the start commit: one that can never be in it is a trap. */
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
