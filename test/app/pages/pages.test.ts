import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { type DispatchedRun, saveRun } from "../../../app/runs/dispatched-run.ts";
import { leaveDead, startPagesApp, tokenIn } from "../../support/app/pages.ts";
import { ada } from "../../support/app/running-app.ts";
import { dispatchedRun, workRequest } from "../../support/app/runs.ts";

const elsewhere = { installation: 4, id: 8, repository: "eve/own" };
const run = (change: Partial<DispatchedRun>) =>
  dispatchedRun({ request: workRequest({ actor: ada }), ...change });

test("people see the runs of the repositories they can read, and no others", async () => {
  const { store, signIn } = await startPagesApp();
  const ours = run({ words: "Ours alone." });
  const theirs = run({ place: elsewhere, words: "Theirs alone." });
  const before = run({
    place: { installation: 3, id: 6, repository: "octo/example" },
    words: "From before.",
  });
  for (const each of [ours, theirs, before]) await saveRun(store.notes, each);
  const [ada, eve] = [await signIn("ada"), await signIn("eve")];
  const { body } = await ada.open("/");
  expect(body).toContain(`/runs/${ours.id}`);
  expect(body).not.toMatch(/Theirs|eve\/own/);
  expect((await eve.open("/")).body).not.toMatch(/Ours|octo/);
  // Another repository of the same installation had the name then.
  expect(body).not.toContain("From before");
  expect((await ada.open(`/runs/${ours.id}`)).body).toContain("Ours alone.");
  const absent = await ada.open(`/runs/${randomUUID()}`);
  for (const { id } of [theirs, before]) {
    const answer = await ada.open(`/runs/${id}`);
    expect([answer.status, answer.body]).toEqual([404, absent.body]);
  }
  expect(await ada.open("/?repository=eve/own")).toMatchObject({ status: 404 });
  expect(await ada.open("/?repository=octo/example")).toMatchObject({ status: 200 });
});

test("a run's page shows its whole note, and links to GitHub by name and number only", async () => {
  const { store, signIn, github } = await startPagesApp();
  const known = run({
    ...{ state: "done", outcome: "merged", cost_usd: 1.25, tasks: { passed: 3, total: 3 } },
    ...{ workflow: { run: 4711, attempt: 2, url: "javascript:alert(1)" } },
    ...{ pull: { number: 9, url: "https://evil.example/9" }, claim: undefined },
    words: "All three passed.",
  });
  await saveRun(store.notes, known);
  const { body } = await (await signIn("bob")).open(`/runs/${known.id}`);
  const at = `${github.server.url}/octo/example`;
  for (const link of ["", "/issues/12", "/actions/runs/4711", "/pull/9"]) {
    expect(body).toContain(`href="${at}${link}"`);
  }
  for (const words of ["Merged", "$1.25", "3 of 3 tasks", "attempt 2", "a label on an issue"]) {
    expect(body).toContain(words);
  }
  expect(body).not.toMatch(/evil|javascript/);
});

test("120 runs fill three pages, and each is on one of them", async () => {
  const { store, signIn } = await startPagesApp();
  const at = Date.now() - 3_600_000;
  const runs = Array.from({ length: 120 }, (_, index) =>
    // Some began at the same moment.
    run({ started_at: at - Math.floor(index / 3) * 1000 }),
  );
  for (const each of runs) await saveRun(store.notes, each);
  const ada = await signIn("ada");
  const seen: string[] = [];
  let path: string | undefined = "/";
  for (let pages = 0; path !== undefined && pages < 9; pages += 1) {
    const { body } = await ada.open(path);
    const ids = [...body.matchAll(/"\/runs\/([\w-]+)"/g)].map(([, id = ""]) => id);
    expect(ids.length).toBeLessThanOrEqual(50);
    seen.push(...ids);
    path = /href="([^"]+)" rel="next"/.exec(body)?.[1]?.replaceAll("&#38;", "&");
  }
  expect(seen).toHaveLength(120);
  expect(new Set(seen)).toEqual(new Set(runs.map(({ id }) => id)));
  expect((await ada.open("/?before=nonsense")).status).toBe(200);
});

test("runs are filtered by status and by day, and links to further pages keep the filter", async () => {
  const { store, signIn } = await startPagesApp();
  const at = Date.parse("2026-01-25T12:00:00Z");
  const pull = { number: 9, url: "u" };
  const merged = Array.from({ length: 60 }, (_, index) =>
    run({ pull, outcome: "merged", started_at: at - index * 1000 }),
  );
  const open = run({ pull, started_at: at + 1 });
  const early = run({ state: "refused", started_at: at - 86_400_000 });
  for (const each of [...merged, open, early]) await saveRun(store.notes, each);
  const ada = await signIn("ada");
  const idsOn = async (path: string) => {
    const { body } = await ada.open(path);
    const ids = [...body.matchAll(/"\/runs\/([\w-]+)"/g)].map(([, id = ""]) => id);
    const next = /href="([^"]+)" rel="next"/.exec(body)?.[1]?.replaceAll("&#38;", "&");
    return { body, ids, next };
  };
  expect((await idsOn("/runs?state=open")).ids).toEqual([open.id]);
  const first = await idsOn("/?state=merged&repository=octo%2Fexample&until=");
  expect(first.body).toContain('<option value="merged" selected>');
  const second = await idsOn(first.next ?? "");
  expect([...first.ids, ...second.ids]).toEqual(merged.map(({ id }) => id));
  expect((await idsOn("/?until=2026-01-24")).ids).toEqual([early.id]);
  expect((await idsOn("/?state=waiting")).body).toContain("No runs match.");
  expect((await idsOn("/?state=nonsense&until=x")).ids).toHaveLength(50);
});

test("the figures of a repository's day are compared with its limits", async () => {
  const { store, signIn, github } = await startPagesApp();
  const config = `version: "1"
task_source: { type: prd_json, path: .ralph/prd.json }
git: { base_branch: main }
gates: { full: [{ name: test, cmd: npm test }] }
limits: { runs_per_day: 2, budget_usd_per_day: 5 }
`;
  github.files.set(".ralph/ralph.yml", config);
  const workflow = { run: 1, attempt: 1, url: "" };
  const now = Date.now();
  await saveRun(store.notes, run({ started_at: now, workflow, cost_usd: 1.5 }));
  await saveRun(store.notes, run({ started_at: now, workflow, cost_usd: 0.25, state: "working" }));
  await saveRun(store.notes, run({ started_at: now - 86_400_000, workflow, cost_usd: 100 }));
  await saveRun(store.notes, run({ started_at: now, place: elsewhere, workflow, cost_usd: 50 }));
  const { body } = await (await signIn("ada")).open("/today");
  expect(body).toContain("2 of 2");
  expect(body).toContain("$1.75 of $5.00");
  expect(body).not.toMatch(/eve|\$100|\$50/);
});

test("the day is shown although a repository of it is out of reach", async () => {
  const { github, store, signIn } = await startPagesApp();
  const workflow = { run: 1, attempt: 1, url: "" };
  await saveRun(store.notes, run({ started_at: Date.now(), workflow, cost_usd: 1.5 }));
  const ada = await signIn("ada");
  // Deleted a moment ago: Ada's own list, a minute old, still has it.
  github.facts = undefined;
  const { status, body } = await ada.open("/today");
  expect(status).toBe(200);
  expect(body).toContain("octo/example, cannot be reached at the moment.");
  expect(body).toContain("$1.50");
});

test("any days can be chosen, and an owner's page shows its repositories to their readers only", async () => {
  const { store, signIn } = await startPagesApp();
  const workflow = { run: 1, attempt: 1, url: "" };
  const at = Date.parse("2026-01-25T12:00:00Z");
  await saveRun(store.notes, run({ started_at: at, workflow, cost_usd: 3 }));
  await saveRun(store.notes, run({ started_at: at - 86_400_000, workflow, cost_usd: 100 }));
  const recent = { started_at: Date.now() - 1000, ending: { kind: "failed" as const } };
  await saveRun(store.notes, run({ ...recent, workflow, cost_usd: 2 }));
  const [ada, eve] = [await signIn("ada"), await signIn("eve")];
  const day = (await ada.open("/today?from=2026-01-25&to=2026-01-25")).body;
  expect(day).toContain("<h1>2026-01-25</h1>");
  expect(day).toContain("$3.00");
  expect(day).not.toContain("$100");
  expect((await ada.open("/today?from=2026-01-24&to=2026-01-25")).body).toContain("$103.00");
  expect((await ada.open("/today?from=nonsense")).body).toContain("<h1>Today</h1>");
  const page = (await ada.open("/owners/octo")).body;
  expect(page).toMatch(/example<.*Failed.*\$2\.00/);
  expect(page).not.toContain("/owners/octo/pause");
  // GitHub ignores the case of names.
  for (const path of ["/owners/OCTO", "/?repository=Octo/Example"]) {
    expect((await ada.open(path)).status).toBe(200);
  }
  expect((await eve.open("/owners/octo")).status).toBe(404);
  expect((await eve.open("/owners")).body).not.toContain("octo");
});

test("people who may write to an owner's `.github` repository pause all of its repositories, and no one else", async () => {
  const { store, signIn, people, github, skip } = await startPagesApp();
  const settings = { installation: 3, id: 70, full_name: "octo/.github" };
  const { more } = github;
  const file = { type: "file", encoding: "base64", content: btoa('version: "1"\n') };
  github.more = (asked, seen) =>
    asked.startsWith("GET /repos/octo/.github/contents/") ? { body: file } : more(asked, seen);
  people.people.get("ada")?.repositories.push({ ...settings, push: true });
  people.people.get("bob")?.repositories.push({ ...settings, push: false });
  const place = { installation: 3, id: 70, repository: "octo/.github" };
  const note = { kind: "repository", id: "70", repository: "70", at: 1 } as const;
  await store.notes.put({ ...note, data: { place, isPaused: false } });
  skip(31_000);
  const [ada, bob] = [await signIn("ada"), await signIn("bob")];
  const page = await ada.open("/owners/octo");
  expect(page.body).toContain("Pause all repositories");
  expect((await bob.open("/owners/octo")).body).not.toContain("Pause all");
  expect((await ada.send("/owners/octo/pause", { token: "" })).status).toBe(403);
  const token = tokenIn(page);
  expect((await ada.send("/owners/octo/pause", { token })).status).toBe(303);
  expect(await store.notes.get("repository", "70")).toMatchObject({ data: { isPaused: true } });
  expect((await ada.open("/owners/octo")).body).toContain("Resume all repositories");
});

test("while GitHub is unreachable no page shows any data", async () => {
  const { store, signIn, github } = await startPagesApp();
  await saveRun(store.notes, run({ words: "Ours alone." }));
  const ada = await signIn("ada");
  github.isAway = true;
  const answer = await ada.open("/");
  expect(answer.status).toBe(503);
  expect(answer.body).not.toContain("Ours alone.");
  github.isAway = false;
  expect((await ada.open("/")).body).toContain("Ours alone.");
});

test("only write permission allows a person to requeue a dead letter", async () => {
  const { store, signIn } = await startPagesApp();
  const id = await leaveDead(store);
  const [ada, bob, eve] = [await signIn("ada"), await signIn("bob"), await signIn("eve")];
  const queue = await ada.open("/queue");
  expect(queue.body).toContain("unknown kind of job");
  expect(queue.body).toContain(`value="${id}"`);
  const read = await bob.open("/queue");
  expect(read.body).toContain("unknown kind of job");
  expect(read.body).not.toContain(`value="${id}"`);
  const other = await eve.open("/queue");
  expect(other.body).not.toContain("unknown kind of job");

  const token = tokenIn(queue);
  const refused = async (browser: typeof ada, form: Record<string, string>) =>
    (await browser.send("/queue/retry", form)).status;
  expect(await refused(ada, { id })).toBe(403);
  expect(await refused(ada, { id, token: tokenIn(read) })).toBe(403);
  expect(await refused(bob, { id, token: tokenIn(read) })).toBe(403);
  expect(await refused(eve, { id, token: tokenIn(other) })).toBe(404);
  expect(await refused(ada, { id: randomUUID(), token })).toBe(404);
  expect(await refused(ada, { id: "1' or 1=1", token })).toBe(404);
  expect(await store.queue.counts()).toMatchObject({ dead: 1 });
  const done = await ada.send("/queue/retry", { id, token });
  expect([done.status, done.headers.location]).toEqual([303, "/queue"]);
  await expect
    .poll(async () => (await store.queue.list({ state: "dead", groups, limit: 1 }))[0]?.at)
    .toBeGreaterThan(Date.now() - 5000);
});

const groups = ["work:7"];

test("without a session a visitor sees and changes nothing", async () => {
  const { store, browser } = await startPagesApp();
  const ours = run({ words: "Ours alone." });
  await saveRun(store.notes, ours);
  const id = await leaveDead(store);
  for (const path of ["/", "/today", "/queue", `/runs/${ours.id}`, "/?repository=octo/example"]) {
    const answer = await browser().open(path);
    expect(answer.status).toBe(path.startsWith("/?") || path === "/" ? 200 : 403);
    expect(answer.body).not.toMatch(/Ours alone|octo|no handler/);
  }
  expect(await browser().send("/queue/retry", { id, token: "" })).toMatchObject({ status: 403 });
  expect(await store.queue.counts()).toMatchObject({ dead: 1 });
});

test("a person who has just lost write permission is refused, although the page still shows the button", async () => {
  const { store, signIn, github } = await startPagesApp();
  const id = await leaveDead(store);
  const ada = await signIn("ada");
  const token = tokenIn(await ada.open("/queue"));
  const user = { type: "User", id: 5 };
  github.fake.state.permissions.ada = {
    permission: "write",
    role_name: "write",
    user: { ...user, id: 6 },
  };
  expect(await ada.send("/queue/retry", { id, token })).toMatchObject({ status: 403 });
  github.fake.state.permissions.ada = { permission: "read", role_name: "triage", user };
  expect(await ada.send("/queue/retry", { id, token })).toMatchObject({ status: 403 });
  expect(await store.queue.counts()).toMatchObject({ dead: 1 });
});
