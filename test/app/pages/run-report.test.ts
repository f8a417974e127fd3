import { get } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { saveRun } from "../../../app/runs/dispatched-run.ts";
import { saveReport } from "../../../app/runs/run-report.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import type { Browser } from "../../support/app/browser.ts";
import { startPagesApp } from "../../support/app/pages.ts";
import { ada, place } from "../../support/app/running-app.ts";
import { dispatchedRun, workRequest } from "../../support/app/runs.ts";

const { clock } = createSystem();
const hostile = `<!doctype html><title>Report</title><script>alert(1)</script><p>Two of two passed.</p>`;
const tasks = [
  { id: "T-001", title: "Add <b>names</b>", state: "passed", proof: "2 of 2 criteria hold." },
  { id: "T-002", title: "Sort them", state: "failed", proof: "The gate test is red." },
];

test("a run's page lists its tasks with their proof, and shows the session's report in a frame in which nothing runs", async () => {
  const { store, signIn, browser } = await startPagesApp();
  const run = dispatchedRun({ request: workRequest({ actor: ada }) });
  await saveRun(store.notes, run);
  await saveReport({ notes: store.notes, clock }, { place, run: run.id, html: hostile, tasks });
  const [bob, eve] = [await signIn("bob"), await signIn("eve")];
  const { body, headers } = await bob.open(`/runs/${run.id}`);
  expect(body).toMatch(/T-001.*Add &#60;b&#62;names.*passed.*2 of 2 criteria hold/);
  expect(body).toMatch(/T-002.*failed.*The gate test is red/);
  expect(body).toContain(`<iframe class="report" src="/runs/${run.id}/report"`);
  expect(body).toContain('sandbox=""');
  expect(headers["content-security-policy"]).toMatch(/^default-src 'none';.*frame-src 'self'/);
  const report = await bob.open(`/runs/${run.id}/report`);
  expect(report.body).toBe(hostile);
  expect(report.headers["content-security-policy"]).toMatch(
    /default-src 'none';.*frame-ancestors 'self'; sandbox$/,
  );
  expect((await eve.open(`/runs/${run.id}/report`)).status).toBe(404);
  expect((await browser().open(`/runs/${run.id}/report`)).status).toBe(403);
});

test("the page of a run under way hears of each change until the run is over, and works without scripts", async () => {
  const { store, signIn, url } = await startPagesApp();
  const run = dispatchedRun({ state: "working", workflow: { run: 31, attempt: 1, url: "u" } });
  await saveRun(store.notes, run);
  const [bob, eve] = [await signIn("bob"), await signIn("eve")];
  const page = await bob.open(`/runs/${run.id}`);
  expect(page.body).toContain('<noscript><meta http-equiv="refresh" content="30"></noscript>');
  expect(page.headers["content-security-policy"]).toMatch(
    /script-src 'sha256-[\w+/=]+'; connect-src 'self'/,
  );
  expect((await eve.open(`/runs/${run.id}/events`)).status).toBe(404);
  const heard = listen(`${url}/runs/${run.id}/events`, bob);
  await expect.poll(() => heard.text).toContain("retry:");
  await saveRun(store.notes, { ...run, tasks: { passed: 1, total: 2 } });
  await expect.poll(() => heard.text).toContain("data: changed");
  await saveRun(store.notes, { ...run, state: "done", ending: { kind: "failed" } });
  await expect.poll(() => heard.text).toContain("event: over");
  await expect.poll(() => heard.isClosed).toBe(true);
  expect((await bob.open(`/runs/${run.id}`)).body).not.toContain("<script");
});

function listen(url: string, { cookies }: Browser): { text: string; isClosed: boolean } {
  const heard = { text: "", isClosed: false };
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const request = get(url, { headers: { cookie } }, (response) => {
    response.on("data", (chunk: Buffer) => {
      heard.text += chunk.toString();
    });
    response.on("end", () => {
      heard.isClosed = true;
    });
  });
  onTestFinished(() => void request.destroy());
  return heard;
}
