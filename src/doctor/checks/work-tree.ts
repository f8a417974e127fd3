import { readBlob } from "../../git/objects.ts";
import { type DirtyPaths, dirtyPaths } from "../../git/start.ts";
import { type Check, type CheckResult, failure, pass, warning } from "../check.ts";
import type { Scene } from "../scene.ts";

const maxShown = 10;

/** What a run would refuse to begin with: changes that are not committed, and project files git ignores. */
export const workTree: Check = {
  name: "work-tree",
  needs: ["repo"],
  look: async (scene) => {
    const repo = await scene.repo();
    const dirty = await dirtyPaths(repo);
    return (await ignoredFile(scene, dirty)) ?? judge(dirty, isCi(scene));
  },
};

const isCi = ({ system: { env } }: Scene) => env.CI === "true" || env.GITHUB_ACTIONS === "true";

function judge({ ours, others }: DirtyPaths, inCi: boolean): CheckResult {
  const blocking = [...others.map(({ path }) => path), ...(inCi ? ours : [])];
  if (blocking.length > 0) return unclean(blocking);
  if (ours.length === 0) return pass("clean");
  return pass(`clean but for new files, which a run commits first: ${ours.join(", ")}`);
}

function unclean(paths: readonly string[]): CheckResult {
  const more = paths.length > maxShown ? [`  and ${paths.length - maxShown} more`] : [];
  const shown = paths.slice(0, maxShown).map((path) => `  ${path}`);
  return warning(["not clean; `ralph run` would refuse to begin:", ...shown, ...more].join("\n"), {
    remedy: "Commit these changes, or put them aside.",
    fixes: [{ command: "git stash -u" }],
  });
}

/** A run reads its files from the start commit: one that can never be in it is a trap. */
async function ignoredFile(scene: Scene, { ours, others }: DirtyPaths) {
  const config = await scene.config().catch(() => undefined);
  const paths = [scene.configPath, ...(config ? [config.config.task_source.path] : [])];
  for (const path of paths.map((each) => each.replace(/^\.\//, ""))) {
    const isNew = ours.includes(path) || others.some((each) => each.path === path);
    const isThere = await scene.system.files(scene.root).stat(path);
    if (!isThere || isNew) continue;
    if (await readBlob(await scene.repo(), { treeish: "HEAD", path })) continue;
    return failure(`${path} is not in the current commit; git probably ignores it.`, {
      path,
      remedy: "Remove it from .gitignore, then add and commit it.",
      fixes: [{ command: `git add --force ${path} && git commit -m "chore: ralph"` }],
    });
  }
  return undefined;
}
