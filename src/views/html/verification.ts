import { noVerification, type VerifiedTest } from "../../core/state/verification.ts";
import { renderDuration } from "../../text/figures.ts";
import { plainLine, plainText } from "../../text/plain-text.ts";
import {
  repairCells,
  repairHead,
  repairSentence,
  verificationSentence,
} from "../summary/verification-lines.ts";
import { type Html, html } from "./html.ts";
import { cell, head, isolate, numCell, numHead, renderTable } from "./labels.ts";
import { renderPicture } from "./pictures.ts";
import type { ReportModel } from "./report-model.ts";

const maxTests = 200;

/** How the program behaved when it ran; a failed test with what the page showed. */
export function renderVerification(model: ReportModel): Html | undefined {
  const sentence = verificationSentence(model.summary);
  if (sentence === undefined) return undefined;
  const { tests } = model.state.verification ?? noVerification;
  const failed = tests.filter(({ status }) => status === "failed");
  return html`
    <section aria-labelledby="program"><h2 id="program">The program as it runs</h2>
    <p>${sentence}</p>
    ${renderRedPhases(model)}
    ${failed.slice(0, 30).map((test) => renderFailure(test, model))}
    ${renderTests(tests)}
    ${renderFiles(model)}
    ${renderRepairs(model)}
    </section>`;
}

function renderRepairs({ summary }: ReportModel): Html | undefined {
  const sentence = repairSentence(summary);
  if (sentence === undefined) return undefined;
  const rows = repairCells(summary).map(
    (cells) => html`<tr>${cells.map((text) => cell(isolate(text, 700)))}</tr>`,
  );
  return html`<p>${sentence}</p>
    ${renderTable({ caption: "Repairs", head: repairHead.map(head) }, rows)}`;
}

function renderRedPhases({ summary: { verification } }: ReportModel): Html[] {
  const red = verification?.phases.filter(({ status }) => status === "failed") ?? [];
  return red.map(({ phase, detail }) => html`<p class="bad">✗ ${phase}</p><pre>${detail}</pre>`);
}

/** They are foreign pages with scripts, so they are named and not shown. */
function renderFiles({ summary: { verification } }: ReportModel): Html | undefined {
  const files = verification?.phases.flatMap((phase) => phase.files) ?? [];
  if (files.length === 0) return undefined;
  const names = files.slice(0, 10).map((file) => html`<code>${file}</code> `);
  return html`<p>In the session directory, written by the project's own programs: ${names}</p>`;
}

/** The detail has the expectation, the content of the page, the console's errors and the nearest names. */
function renderFailure({ test, detail, picture }: VerifiedTest, { pictures }: ReportModel): Html {
  const name = plainLine(test, 200);
  const caption = `${name}: the page when the test failed (picture made by the project's own code)`;
  return html`
    <div class="trouble"><h3>${isolate(name, 200)}</h3>
    <pre>${plainText(detail).slice(0, 4000)}</pre>
    ${picture && renderPicture(picture, { caption, pictures })}</div>`;
}

function renderTests(tests: readonly VerifiedTest[]): Html | undefined {
  return renderTable(
    { caption: "Tests", head: [head("Test"), head("Framework"), head("Result"), numHead("Time")] },
    tests.slice(0, maxTests).map(
      ({ test, framework, status, ms }) =>
        html`<tr>${cell(isolate(plainLine(test, 200), 200))}${cell(framework)}
        ${cell(html`<span class="${tones[status]}">${status}</span>`)}${numCell(renderDuration(ms))}</tr>`,
    ),
  );
}

const tones = { passed: "ok", failed: "bad", skipped: "quiet" };
