import { pathMatcher } from "../../core/checks/path-pattern.ts";
import type { TaskState } from "../../core/state/session-state.ts";
import { parseBrowserCriterion } from "../../core/verify/browser-criterion.ts";
import { RalphError } from "../../error.ts";
import { isRuntimeCriterion, type RuntimeStage } from "../../gates/criteria.ts";
import { diffTrees } from "../../git/trees/diff-trees.ts";
import { parseCriterion } from "../../schema/tasks/criterion.ts";
import { findChromium } from "../../ui/find-chromium.ts";
import { gateDeps } from "../loop/gate-deps.ts";
import { openStage } from "../loop/open-stage.ts";
import { record, type SessionContext } from "../loop/session-context.ts";
import { openProofWorktree } from "../workers/workers.ts";

export type FrontEndView = { task: string; pages: readonly string[]; base: string; tree: string };

/** Before and after of a task that changes the front end; undefined where nothing can or need be shown. */
export async function planFrontEnd(
  session: SessionContext,
  task: TaskState,
  tree: string,
): Promise<FrontEndView | undefined> {
  const { config, system, repo } = session;
  const hasServices = Object.keys(config.services).length > 0;
  if (!hasServices || task.base === tree || gateDeps(session).commands === "leave") {
    return undefined;
  }
  const { id, acceptanceCriteria } = task.task;
  const isRuntime = acceptanceCriteria.some((text) => isRuntimeCriterion(parseCriterion(text)));
  // Services start for the pictures alone only when the task asks for it.
  if (task.task.affectsFrontend !== true && !isRuntime) return undefined;
  const { files } = await diffTrees(repo, { from: task.base, to: tree });
  const { frontend_paths: frontendPaths } = config.ui;
  const changed = { files: files.map(({ path }) => path), frontendPaths };
  if (!changesFrontEnd(task.task, changed) || !(await findChromium(system))) return undefined;
  return { task: id, pages: pagesOf(acceptanceCriteria), base: task.base, tree };
}

/** Pictures of the pages on the tree the task began on: those after the task before it, or new ones. */
export async function seeBefore(session: SessionContext, view: FrontEndView): Promise<void> {
  const left = view.pages.filter((page) => !findSeen(session, view.base, page));
  if (left.length > 0) await seeBase(session, { ...view, pages: left });
  for (const page of view.pages) {
    const seen = findSeen(session, view.base, page);
    if (seen && seen.task !== view.task) {
      await record(session, { ...seen, task: view.task, when: "before" });
    }
  }
}

/** Pictures of the pages on the task's work, whose services run already. */
export async function seeAfter(
  session: SessionContext,
  stage: RuntimeStage,
  { task, pages, tree }: FrontEndView,
): Promise<void> {
  for (const page of pages) {
    const picture = await stage.see(page);
    if (session.cancel.aborted) return;
    const seen = { task, when: "after", tree, page } as const;
    await record(session, { type: "page_seen", ...seen, ...(picture && { picture }) });
  }
}

function findSeen({ journal }: SessionContext, tree: string, page: string) {
  const seen = journal.state.verification?.pages ?? [];
  const found = seen.find((each) => each.tree === tree && each.page === page);
  if (!found) return undefined;
  const { type, task, when, picture } = found;
  return { type, task, when, tree, page, ...(picture && { picture }) };
}

/** A base on which the program does not start, as before the first task, has no pictures. */
async function seeBase(session: SessionContext, { task, pages, base: tree }: FrontEndView) {
  if (session.hasSubmodules) return;
  const place = await openProofWorktree(session, tree);
  if (place.kind !== "ready") return;
  await using stage = await openStage(place.context, async (fact) => {
    if (fact.type !== "service_failed") await record(session, fact);
  }).catch(withoutPort);
  for (const page of pages) {
    const picture = await stage?.see(page);
    if (session.cancel.aborted) return;
    const seen = { task, when: "before", tree, page } as const;
    await record(session, { type: "page_seen", ...seen, ...(picture && { picture }) });
  }
}

/** A taken port ends the session where criteria need the services; here it only costs the pictures. */
function withoutPort(error: unknown): undefined {
  if (!(error instanceof RalphError)) throw error;
  return undefined;
}

/** Files that make up a front end where `ui.frontend_paths` does not say. */
const usualPaths = [
  "frontend/**",
  "src/components/**",
  "src/pages/**",
  "**/*.{tsx,jsx,vue,svelte,css}",
];

/** Whether a task changes what a browser shows: it says so, or its files do. Pure. */
function changesFrontEnd(
  task: { affectsFrontend?: boolean | undefined },
  { files, frontendPaths }: { files: readonly string[]; frontendPaths: readonly string[] },
): boolean {
  const isFrontEnd = pathMatcher(frontendPaths.length > 0 ? frontendPaths : usualPaths);
  return task.affectsFrontend ?? files.some(isFrontEnd);
}

/** Most pages of a task that are shown before and after. */
const maxPages = 3;

/** The start page, and the pages that the criteria open, each once. Pure. */
function pagesOf(criteria: readonly string[]): string[] {
  const opened = criteria.map(parseCriterion).flatMap((criterion) => {
    if (criterion.kind !== "browser") return [];
    const read = parseBrowserCriterion(criterion.words);
    return read.kind === "act" ? read.actions : [];
  });
  const paths = opened.flatMap((action) => (action.verb === "open" ? action.path : []));
  return [...new Set(["/", ...paths.filter((path) => path.startsWith("/"))])].slice(0, maxPages);
}
