import { type Html, html } from "../../src/views/html/html.ts";
import { head, isolate, renderTable } from "../../src/views/html/labels.ts";
import type { RunReport } from "../runs/run-report.ts";

const marks: Readonly<Record<string, readonly [tone: string, mark: string]>> = {
  passed: ["ok", "✓"],
  "passed before": ["quiet", "✓"],
  failed: ["bad", "✗"],
  blocked: ["bad", "✗"],
  interrupted: ["warn", "!"],
};

/** The tasks of a run's last session, each with its state and what proves it. */
export function renderTasks(tasks: RunReport["tasks"]): Html | undefined {
  const rows = tasks.map(({ id, title, state, proof }) => {
    const [tone, mark] = marks[state] ?? ["quiet", "○"];
    return html`
      <tr><th scope="row"><code>${isolate(id, 40)}</code></th><td>${isolate(title, 200)}</td>
      <td><span class="state ${tone}"><span aria-hidden="true">${mark}</span> ${isolate(state, 40)}</span></td>
      <td>${isolate(proof, 600)}</td></tr>`;
  });
  const columns = ["Task", "Title", "State", "Proof"].map(head);
  const table = renderTable({ caption: "Tasks of the last session", head: columns }, rows);
  return (
    table && html`<section aria-labelledby="tasks"><h2 id="tasks">Tasks</h2>${table}</section>`
  );
}
