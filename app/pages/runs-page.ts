import { plainLine } from "../../src/surfaces/plain-text.ts";
import { type Html, html } from "../../src/surfaces/views/html/html.ts";
import { isolate, withCode } from "../../src/surfaces/views/html/words.ts";
import type { PageAnswer } from "../front/route.ts";
import type { RunNote } from "../runs/run-note.ts";
import type { PageParts, Visit } from "./app-pages.ts";
import { findRuns, pageSize, readKey, renderKey } from "./find-runs.ts";
import { missingFor, renderFramed } from "./frame.ts";
import { costOf, renderLook, renderMinute, tasksOf, timeOf, titleOf } from "./run-words.ts";

/** Names in the filter; whoever can read more follows the name beside a run. */
const maxNames = 300;

/** `/`: runs, newest first, of all repositories or of one. */
export async function runsPage(parts: PageParts, visit: Visit): Promise<PageAnswer> {
  const { session, repositories, asked } = visit;
  const chosen = asked.query.get("repository") ?? "";
  const only = repositories.get(chosen);
  if (chosen !== "" && !only) return missingFor(session);
  const wanted = only ? new Map([[chosen, only]]) : repositories;
  const before = readKey(asked.query.get("before"));
  const found = await findRuns(parts.notes, { repositories: wanted, before, limit: pageSize });
  const links = { ...(chosen && { repository: chosen }) };
  const older = found.next && linkTo({ ...links, before: renderKey(found.next) });
  const main = html`
    <h1>${before ? "Older runs" : "Runs"}</h1>
    ${renderFilter(visit, chosen)}
    ${renderRuns(parts, found.runs)}
    ${renderWays({ newest: before && linkTo(links), older })}`;
  return renderFramed({ title: chosen ? `Runs of ${chosen}` : "Runs", main, session, here: "/" });
}

type Ways = { newest: string | undefined; older: string | undefined };

function renderWays({ newest, older }: Ways): Html | undefined {
  if (newest === undefined && older === undefined) return undefined;
  return html`
    <nav class="pages" aria-label="Older and newer runs">
    ${newest && html`<a class="button" href="${newest}">Newest runs</a>`}
    ${older && html`<a class="button" href="${older}" rel="next">Older runs</a>`}</nav>`;
}

const linkTo = (query: Record<string, string>): string => {
  const text = new URLSearchParams(query).toString();
  return text === "" ? "/" : `/?${text}`;
};

function renderFilter({ repositories, isCut }: Visit, chosen: string): Html | undefined {
  if (repositories.size < 2) return undefined;
  const names = [...repositories.keys()].sort().slice(0, maxNames);
  const shown = chosen === "" || names.includes(chosen) ? names : [chosen, ...names];
  const option = (name: string) =>
    name === chosen
      ? html`<option value="${name}" selected>${name}</option>`
      : html`<option value="${name}">${name}</option>`;
  return html`
    <form class="filter" method="get" action="/">
    <label for="repository">Repository</label>
    <select id="repository" name="repository"><option value="">all of ${repositories.size}</option>${shown.map(option)}</select>
    <button>Show</button>
    ${isCut && html`<span class="quiet">You can read more; these are the first that GitHub tells.</span>`}
    </form>`;
}

function renderRuns(parts: PageParts, runs: readonly RunNote[]): Html {
  if (runs.length === 0) {
    const how = "A label on an issue starts one, and so does the comment `/ralph run`.";
    return html`<p class="note">There are no runs here yet. ${withCode(how)}</p>`;
  }
  return html`<ol class="list">${runs.map((run) => renderRun(parts, run))}</ol>`;
}

function renderRun({ links, clock }: PageParts, run: RunNote): Html {
  const { asker, words, place } = run;
  const beside = [links.pull(run), links.workflow(run), asker && html`for ${isolate(asker, 100)}`];
  return html`
    <li class="run">
    <h2><a href="/runs/${run.id}">${isolate(titleOf(run), 80)}</a></h2>
    ${renderLook(run)}
    <p class="line figures-line">${figuresOf(run, clock.now())}</p>
    <p class="line quiet"><a href="${linkTo({ repository: place.repository })}">${isolate(place.repository, 210)}</a>
    ${beside.map((each) => each && html`<span>${each}</span>`)}</p>
    ${words && html`<p class="quiet">${withCode(plainLine(words, 200))}</p>`}
    </li>`;
}

function figuresOf(run: RunNote, now: number): Html {
  const { tasks, cost_usd: usd, started_at: at } = run;
  const tone = (known: unknown) => (known === undefined ? "quiet" : "");
  return html`
    <span class="${tone(tasks)}">${tasksOf(run)}</span><span class="${tone(usd)}">${costOf(run)}</span>
    <span>${timeOf(run, now)}</span><span class="quiet">${renderMinute(at)}</span>`;
}
