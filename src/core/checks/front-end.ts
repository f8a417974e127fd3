import { parseCriterion } from "../../schema/tasks/criterion.ts";
import { parseBrowserCriterion } from "../verify/browser-criterion.ts";
import { pathMatcher } from "./path-pattern.ts";

/** Files that make up a front end where `ui.frontend_paths` does not say. */
const usualPaths = [
  "frontend/**",
  "src/components/**",
  "src/pages/**",
  "**/*.{tsx,jsx,vue,svelte,css}",
];

/** Whether a task changes what a browser shows: it says so, or its files do. Pure. */
export function changesFrontEnd(
  task: { affectsFrontend?: boolean | undefined },
  { files, frontendPaths }: { files: readonly string[]; frontendPaths: readonly string[] },
): boolean {
  const isFrontEnd = pathMatcher(frontendPaths.length > 0 ? frontendPaths : usualPaths);
  return task.affectsFrontend ?? files.some(isFrontEnd);
}

/** Most pages of a task that are shown before and after. */
const maxPages = 3;

/** The start page, and the pages that the criteria open, each once. Pure. */
export function pagesOf(criteria: readonly string[]): string[] {
  const opened = criteria.map(parseCriterion).flatMap((criterion) => {
    if (criterion.kind !== "browser") return [];
    const read = parseBrowserCriterion(criterion.words);
    return read.kind === "act" ? read.actions : [];
  });
  const paths = opened.flatMap((action) => (action.verb === "open" ? action.path : []));
  return [...new Set(["/", ...paths.filter((path) => path.startsWith("/"))])].slice(0, maxPages);
}
