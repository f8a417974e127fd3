import { expect, test } from "vitest";
import { DispatchedRun, saveRun } from "../../../app/runs/dispatched-run.ts";
import { startPagesApp, tokenIn } from "../../support/app/pages.ts";
import { appConfig, settled } from "../../support/app/running-app.ts";
import { dispatchedRun, readRun } from "../../support/app/runs.ts";

test("a person with write permission cancels a run on its page after a confirmation, and nobody else does", async () => {
  const { store, signIn } = await startPagesApp();
  const run = dispatchedRun({ state: "waiting", waits_for: "room", title: "The list is empty" });
  await saveRun(store.notes, run);
  const [ada, bob] = [await signIn("ada"), await signIn("bob")];
  const path = `/runs/${run.id}/cancel`;
  expect((await bob.open(`/runs/${run.id}`)).body).not.toContain(path);
  const page = await ada.open(`/runs/${run.id}`);
  expect(page.body).toContain("#12: The list is empty");
  expect(page.body).toContain(path);
  const confirm = await ada.open(path);
  expect((await ada.send(path, { token: "forged" })).status).toBe(403);
  const token = tokenIn(await bob.open("/"));
  expect((await bob.send(path, { token })).body).toContain("write permission is required");
  expect((await readRun(store, run)).state).toBe("waiting");
  expect((await ada.send(path, { token: tokenIn(confirm) })).status).toBe(303);
  const over = { state: "refused", ending: { kind: "cancelled", by: "ada" } };
  await expect.poll(() => readRun(store, run)).toMatchObject(over);
  const ended = await ada.open(`/runs/${run.id}`);
  expect(ended.body).toMatch(/Cancelled by .*ada/);
  expect(ended.body).toContain("Timeline");
  expect((await ada.open("/audit")).body).toContain("Cancel requested");
  expect((await ada.open(`/runs/${run.id}/cancel`)).status).toBe(404);
});

test("a path without a page leads back, over https alone, and signing out revokes the token", async () => {
  const { signIn, people } = await startPagesApp();
  const ada = await signIn("ada");
  const missing = await ada.open("/nothing/here");
  expect(missing.status).toBe(404);
  expect(missing.body).toContain('href="/"');
  expect(missing.headers["strict-transport-security"]).toContain("max-age");
  expect(people.tokens.size).toBe(1);
  await ada.send("/logout", { token: tokenIn(await ada.open("/")) });
  expect(people.tokens.size).toBe(0);
});

test("a failed run is retried on its page for the person who asks, and only once", async () => {
  const { store, signIn, github } = await startPagesApp();
  github.files.set(".ralph/ralph.yml", appConfig);
  const workflow = { run: 31, attempt: 1, url: "u" };
  const run = dispatchedRun({ ending: { kind: "failed", in: "ralph / Work" }, workflow });
  await saveRun(store.notes, run);
  const [ada, bob] = [await signIn("ada"), await signIn("bob")];
  const path = `/runs/${run.id}/retry`;
  const page = await ada.open(path);
  expect(page.body).toContain("This costs money.");
  const refused = await bob.send(path, { token: tokenIn(await bob.open("/")) });
  expect(refused.status).toBe(403);
  const token = tokenIn(page);
  for (let press = 0; press < 2; press += 1) await ada.send(path, { token });
  await settled(store);
  expect(github.dispatches).toHaveLength(1);
  const runs = await store.notes.list({ kind: "run", limit: 9 });
  const again = runs.map(({ data }) => DispatchedRun.parse(data)).find(({ id }) => id !== run.id);
  expect(again?.request).toMatchObject({
    item: "issue-12",
    trigger: "dashboard",
    actor: { id: 5 },
  });
});
