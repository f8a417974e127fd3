import { type Html, html, ownMarkup } from "../../src/views/html/html.ts";
import { type EndingKind, endingKinds } from "../runs/ending.ts";
import { storedStatuses } from "../runs/run-status.ts";
import { parseDay } from "./day-span.ts";
import type { Visit } from "./visit.ts";

/** The filter in a link; empty for all runs. */
export interface RunsChoice {
  repository: string;
  /** A key of `runFilters`. */
  state: string;
  /** A day; later runs are left out. */
  until: string;
}

const endingLabels: Record<EndingKind, string> = {
  ...{ merged: "merged", open: "ready for review", closed: "closed without a merge" },
  ...{ "nothing-to-do": "nothing to do", "partly-done": "partly done", failed: "failed" },
  ...{ cancelled: "cancelled", "timed-out": "timed out", "budget-used": "budget used up" },
  ...{ waiting: "waiting", refused: "not started", lost: "lost", "taken-over": "taken over" },
};

const unsuccessful = (
  ["failed", "timed-out", "budget-used", "lost", "refused", "partly-done"] as const
).flatMap((kind) => storedStatuses[kind]);

/** The filters by status; together they cover all runs. */
export const runFilters: ReadonlyMap<string, { label: string; statuses: readonly string[] }> =
  new Map([
    ["working", { label: "under way", statuses: ["claimed", "started", "working", "publishing"] }],
    ["unsuccessful", { label: "all that did not succeed", statuses: unsuccessful }],
    ...endingKinds.map((kind): [string, { label: string; statuses: readonly string[] }] => [
      kind,
      { label: endingLabels[kind], statuses: storedStatuses[kind] },
    ]),
  ]);

/** Names in the filter; more repositories are reachable from their runs. */
const maxNames = 300;

/** The filter in a link; unknown values are ignored. */
export function readChoice(query: URLSearchParams): RunsChoice {
  const [state, until] = [query.get("state") ?? "", query.get("until") ?? ""];
  return {
    repository: query.get("repository") ?? "",
    state: runFilters.has(state) ? state : "",
    until: parseDay(until) === undefined ? "" : until,
  };
}

/** The form above the list. */
export function renderRunsFilter(visit: Visit, { repository, state, until }: RunsChoice): Html {
  const isChosen = repository !== "" || state !== "" || until !== "";
  const open = isChosen ? ownMarkup(" open") : "";
  const states = [...runFilters].map(([name, { label }]) => option(name, { label, chosen: state }));
  return html`
    <details class="fold"${open}><summary>Filter</summary>
    <form class="filter" method="get" action="/">
    ${renderRepositories(visit, repository)}
    <p><label for="state">State</label>
    <select id="state" name="state"><option value="">any</option>${states}</select></p>
    <p class="day"><label for="until">Until</label>
    <input id="until" name="until" type="date" value="${until}"></p>
    <button>Show</button>
    ${visit.isCut && html`<span class="quiet">You can read more repositories; these are the first that GitHub lists.</span>`}
    </form></details>`;
}

function renderRepositories({ repositories }: Visit, chosen: string): Html | undefined {
  if (repositories.size < 2) return undefined;
  const all = [...repositories.values()].map(({ place }) => place.repository);
  const names = all.toSorted().slice(0, maxNames);
  const shown = chosen === "" || names.includes(chosen) ? names : [chosen, ...names];
  const options = shown.map((name) => option(name, { label: name, chosen }));
  return html`
    <p><label for="repository">Repository</label>
    <select id="repository" name="repository"><option value="">all of ${repositories.size}</option>${options}</select></p>`;
}

const option = (name: string, { label, chosen }: { label: string; chosen: string }): Html =>
  name === chosen
    ? html`<option value="${name}" selected>${label}</option>`
    : html`<option value="${name}">${label}</option>`;
