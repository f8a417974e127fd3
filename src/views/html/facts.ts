import { renderStamp } from "../../text/figures.ts";
import { type Content, type Html, html } from "./html.ts";
import { isolate } from "./labels.ts";
import type { ReportModel } from "./report-model.ts";

/** Where it happened and with what, and how it can be checked. */
export function renderFacts({ state, summary, journal }: ReportModel): Html {
  const { session, startedAt, end } = state;
  const facts: [string, Content][] = [
    ["Began", `${renderStamp(startedAt)} UTC`],
    ["Ended", end ? `${renderStamp(end.at)} UTC` : "not"],
    ["Branch", code(summary.branch)],
    ["Start commit", code(session.start.commit)],
    ["Now at", code(state.head)],
    ["Task list", code(session.source.path)],
    ["Configuration", code(session.config_path)],
    ["Sandbox", session.sandbox === "off" ? "none" : session.sandbox],
    ["Programs", programs(session.versions)],
    ["Journal", journal === undefined ? "not known" : code(journal)],
  ];
  return html`
    <section aria-labelledby="facts"><h2 id="facts">Where and with what</h2>
    <dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
    <p class="quiet">Check what is claimed here with <code>ralph audit ${isolate(session.session_id, 60)}</code>.</p>
    </section>`;
}

const code = (text: string): Html => html`<code>${isolate(text)}</code>`;

function programs(versions: Readonly<Record<string, string>>): Content {
  const known = Object.entries(versions).slice(0, 20);
  const words = known.map(([name, version]) => `${name} ${version}`).join(", ");
  return words === "" ? "not known" : isolate(words, 800);
}
