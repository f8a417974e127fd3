import type { Run } from "../run/run.ts";

/** What a bundle carries beside journal and evidence: the session's commits and the trees it kept. */
export function bundledObjects(run: Run): { commits: string[]; trees: string[]; exclude: string } {
  return {
    commits: run.head === run.session.start.commit ? [] : [run.head],
    trees: run.tasks.flatMap(({ kept }) => kept ?? []),
    exclude: run.session.start.commit,
  };
}
