import { type Content, type Html, html } from "../../src/views/html/html.ts";
import { isolate } from "../../src/views/html/labels.ts";
import type { DispatchedRun } from "../runs/dispatched-run.ts";

/** Links to GitHub, built only from names and numbers, never from stored addresses (T21). */
export interface GitHubLinks {
  repository: (run: DispatchedRun) => Html;
  issue: (run: DispatchedRun) => Html | undefined;
  workflow: (run: DispatchedRun) => Html | undefined;
  pull: (run: DispatchedRun) => Html | undefined;
}

/** Links to the given GitHub server. */
export function createGitHubLinks(serverUrl: string): GitHubLinks {
  const link = ({ place }: DispatchedRun, path: string, text: Content) => {
    const repository = place.repository.split("/").map(encodeURIComponent).join("/");
    return html`<a href="${serverUrl}/${repository}${path}">${text}</a>`;
  };
  return {
    repository: (run) => link(run, "", isolate(run.place.repository, 210)),
    issue: (run) => {
      const { issue } = run.request;
      return issue === undefined ? undefined : link(run, `/issues/${issue}`, `Issue ${issue}`);
    },
    workflow: (run) =>
      run.workflow && link(run, `/actions/runs/${run.workflow.run}`, "Workflow run"),
    pull: (run) =>
      run.pull && link(run, `/pull/${run.pull.number}`, `Pull request ${run.pull.number}`),
  };
}
