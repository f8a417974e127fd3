import fc from "fast-check";
import { expect, test } from "vitest";
import { type DispatchedRun, saveRun } from "../../../app/runs/dispatched-run.ts";
import type { Browser } from "../../support/app/browser.ts";
import { leaveDead, startPagesApp } from "../../support/app/pages.ts";
import { dispatchedRun, workRequest } from "../../support/app/runs.ts";
import { problemsOf } from "../../views/html/check-page.ts";
import { hostileText } from "../../views/job/hostile-text.ts";

/** The elements of the App's pages that a report does not have. */
const more = (server: string) => ({
  tags: ["form", "label", "select", "option", "input", "button", "time"],
  attributes: [
    ...["method", "action", "type", "value", "for", "selected", "rel"],
    ...["aria-current", "datetime", "title", "open"],
  ],
  places: new RegExp(
    `^(?:/|/(?:today(?:\\?days=\\d+)?|audit|owners(?:/[\\w-]+)?|queue|queue/retry|login|logout|runs/[\\w-]+(?:/(?:cancel|retry))?|\\?(?:repository|before)=[\\w.%&;=#-]+)|${server}/octo/example(?:/(?:issues|pull|actions/runs)/\\d+)?)$`,
  ),
});

/** A run whose untrusted texts are taken from this list in turn. */
const hostileRun = (next: () => string): DispatchedRun =>
  dispatchedRun({
    ...{ request: workRequest({ item: next() }), words: next() },
    ...{ workflow: { run: 1, attempt: 1, url: next() }, pull: { number: 2, url: next() } },
    ...{ claim: { item: next(), commit: next() }, started_at: Date.now() },
  });

async function openAll(browser: Browser, ids: readonly string[]): Promise<string[]> {
  const pages: string[] = [];
  for (const path of ["/", "/today", "/queue", "/nothing", ...ids.map((id) => `/runs/${id}`)]) {
    const { status, headers, body } = await browser.open(path);
    expect(status).toBe(path === "/nothing" ? 404 : 200);
    if (String(headers["content-type"]).startsWith("text/html")) pages.push(body);
  }
  return pages;
}

const texts = [
  "</style><script>alert(1)</script>",
  `"><img src=x onerror=alert(1)>`,
  "'-alert(1)-'",
  "--><!-- <svg/onload=alert(1)>",
  "</title><base href=//evil.example>",
  "javascript:alert(1) https://evil.example",
  "\u202eabc\u2066\u200b\u0000\u001b]8;;https://evil.example\u0007",
  "&lt;script&gt;",
  "`<b>`",
];

test("no text of a note or error becomes markup", async () => {
  const { store, signIn, github } = await startPagesApp();
  const runs = texts.map((text) => hostileRun(() => text));
  for (const each of runs) await saveRun(store.notes, each);
  for (const kind of texts) await leaveDead(store, { kind });
  const ada = await signIn("ada");
  for (const page of await openAll(
    ada,
    runs.map(({ id }) => id),
  )) {
    expect(problemsOf(page, more(github.server.url))).toEqual([]);
    expect(page).not.toMatch(/<script|<img|<base|<svg\//i);
  }
});

test("an invalid note, or one of another version, breaks no page", async () => {
  const { store, signIn } = await startPagesApp();
  const good = dispatchedRun({ words: "Good." });
  await saveRun(store.notes, good);
  const at = Date.now();
  for (const [index, data] of [null, "x", [], { ...good, state: "flying" }, {}].entries()) {
    const note = { kind: "run", id: `odd${index}`, repository: "7", at, data } as const;
    await store.notes.put(note);
  }
  await saveRun(store.notes, { ...good, id: "later", started_at: 9e15 });
  const ada = await signIn("ada");
  expect((await ada.open("/")).body).toContain(good.id);
  expect(await ada.open("/runs/odd1")).toMatchObject({ status: 404 });
  expect(await ada.open("/runs/later")).toMatchObject({ status: 200 });
});

test("the pages are valid HTML, whatever the texts contain", async () => {
  const { store, signIn, github } = await startPagesApp();
  const ada = await signIn("ada");
  const property = fc.asyncProperty(
    fc.array(hostileText, { minLength: 3, maxLength: 8 }),
    async (some) => {
      let at = 0;
      const run = hostileRun(() => some[at++ % some.length] ?? "");
      await saveRun(store.notes, run);
      for (const page of await openAll(ada, [run.id])) {
        expect(problemsOf(page, more(github.server.url))).toEqual([]);
      }
    },
  );
  await fc.assert(property, { numRuns: 25 });
});

test("endless texts are cut", async () => {
  const { store, signIn } = await startPagesApp();
  const run = hostileRun(() => "<&".repeat(300_000));
  await saveRun(store.notes, run);
  const ada = await signIn("ada");
  for (const page of await openAll(ada, [run.id])) expect(page.length).toBeLessThan(60_000);
});
