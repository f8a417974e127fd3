import { type Html, html } from "../../src/views/html/html.ts";
import type { Visit } from "./visit.ts";

/** What somebody wants to see, as a link says it; empty: all. */
export interface RunsChoice {
  repository: string;
  /** A key of `runFilters`. */
  state: string;
  /** A day: what began later is left out. */
  until: string;
}

/** How runs may stand, in the words of their list; together they are all. */
export const runFilters: ReadonlyMap<string, { words: string; statuses: readonly string[] }> =
  new Map([
    ["waiting", { words: "waiting", statuses: ["waiting"] }],
    ["working", { words: "under way", statuses: ["claimed", "started", "working", "publishing"] }],
    ["open", { words: "pull request open", statuses: ["pull"] }],
    ["merged", { words: "merged", statuses: ["merged"] }],
    ["closed", { words: "closed, not merged", statuses: ["rejected"] }],
    ["taken", { words: "taken over", statuses: ["taken-over"] }],
    ["none", { words: "ended without a result", statuses: ["done"] }],
    ["refused", { words: "not started", statuses: ["refused"] }],
  ]);

/** Names in the filter; whoever can read more follows the name beside a run. */
const maxNames = 300;

/** What a link asks for; what is none of our words asks for nothing. */
export function readChoice(query: URLSearchParams): RunsChoice {
  const [state, until] = [query.get("state") ?? "", query.get("until") ?? ""];
  return {
    repository: query.get("repository") ?? "",
    state: runFilters.has(state) ? state : "",
    until: /^\d{4}-\d{2}-\d{2}$/.test(until) ? until : "",
  };
}

/** The form above the list. */
export function renderRunsFilter(visit: Visit, { repository, state, until }: RunsChoice): Html {
  const states = [...runFilters].map(([name, { words }]) => option(name, { words, chosen: state }));
  return html`
    <form class="filter" method="get" action="/">
    ${renderRepositories(visit, repository)}
    <p><label for="state">State</label>
    <select id="state" name="state"><option value="">any</option>${states}</select></p>
    <p class="day"><label for="until">Until</label>
    <input id="until" name="until" type="date" value="${until}"></p>
    <button>Show</button>
    ${visit.isCut && html`<span class="quiet">You can read more; these are the first that GitHub tells.</span>`}
    </form>`;
}

function renderRepositories({ repositories }: Visit, chosen: string): Html | undefined {
  if (repositories.size < 2) return undefined;
  const names = [...repositories.keys()].sort().slice(0, maxNames);
  const shown = chosen === "" || names.includes(chosen) ? names : [chosen, ...names];
  const options = shown.map((name) => option(name, { words: name, chosen }));
  return html`
    <p><label for="repository">Repository</label>
    <select id="repository" name="repository"><option value="">all of ${repositories.size}</option>${options}</select></p>`;
}

const option = (name: string, { words, chosen }: { words: string; chosen: string }): Html =>
  name === chosen
    ? html`<option value="${name}" selected>${words}</option>`
    : html`<option value="${name}">${words}</option>`;
