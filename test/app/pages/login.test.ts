import { expect, test } from "vitest";
import { startPagesApp, tokenIn } from "../../support/app/pages.ts";

const hour = 3_600_000;
const session = "__Host-ralph_session";
const login = "__Host-ralph_login";

test("without a sign-in client every page says how to enable the pages", async () => {
  const { browser } = await startPagesApp({ isPublic: false });
  for (const path of ["/", "/queue", "/runs/1", "/login"]) {
    const { status, body } = await browser().open(path);
    expect([path, status]).toEqual([path, 404]);
    expect(body).toMatch(/GITHUB_CLIENT_ID/);
  }
  expect(await browser().open("/healthz")).toMatchObject({ status: 200 });
});

test("signing in leads back to the requested page, and signing out ends the session", async () => {
  const { browser, people, github } = await startPagesApp();
  const ada = browser();
  const welcome = await ada.open("/queue");
  expect(welcome.status).toBe(403);
  expect(welcome.body).toContain('href="/login?to=%2Fqueue"');
  const asked = await ada.open("/login?to=%2Fqueue");
  const address = new URL(String(asked.headers.location));
  expect(address.origin).toBe(new URL(github.server.url).origin);
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    client_id: "Iv23.tests",
    redirect_uri: "https://ralph.example/login/callback",
    code_challenge_method: "S256",
  });
  const back = await ada.open(people.agree(address.href, "ada"));
  expect([back.status, back.headers.location]).toEqual([303, "/queue"]);
  const set = back.headers["set-cookie"]?.[1] ?? "";
  expect(set).toMatch(
    /^__Host-ralph_session=[0-9a-f]{64}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(ada.cookies.has(login)).toBe(false);
  const queue = await ada.open("/queue");
  expect(queue.status).toBe(200);
  expect(queue.body).toContain("ada");
  expect(await ada.send("/logout", { token: "0".repeat(64) })).toMatchObject({ status: 403 });
  const id = ada.cookies.get(session) ?? "";
  await ada.send("/logout", { token: tokenIn(queue) });
  ada.cookies.set(session, id);
  expect(await ada.open("/queue")).toMatchObject({ status: 403 });
});

test("a return address outside the App leads to the first page", async () => {
  const { browser, people } = await startPagesApp();
  for (const to of ["https://evil.example", "//evil.example", "/\\evil.example", "/login"]) {
    const ada = browser();
    const { headers } = await ada.open(`/login?${new URLSearchParams({ to })}`);
    const back = await ada.open(people.agree(String(headers.location), "ada"));
    expect(back.headers.location).toBe("/");
  }
});

test("only the browser that began a sign-in can complete it, with its state, and once", async () => {
  const { browser, people } = await startPagesApp();
  const [ada, eve] = [browser(), browser()];
  const address = String((await ada.open("/login")).headers.location);
  const begun = ada.cookies.get(login) ?? "";
  const path = people.agree(address, "ada");
  await eve.open("/login");
  expect(await eve.open(path)).toMatchObject({ status: 400 });
  expect(await browser().open(path)).toMatchObject({ status: 400 });
  const wrong = path.replace(/state=.{6}/, "state=abcdef");
  expect(await ada.open(wrong)).toMatchObject({ status: 400 });
  expect(ada.cookies.has(login)).toBe(false);
  ada.cookies.set(login, `${begun.slice(0, -4)}AAAA`);
  expect(await ada.open(path)).toMatchObject({ status: 400 });
  ada.cookies.set(login, begun);
  expect(await ada.open(path)).toMatchObject({ status: 303 });
  // The code is used up, even with the cookie.
  ada.cookies.set(login, begun);
  const again = await ada.open(path);
  expect(again.status).toBe(400);
  expect(again.headers["set-cookie"]).toHaveLength(1);
});

test("a sign-in that is refused, too slow or meets an unreachable GitHub can begin again", async () => {
  const { browser, people, github, skip } = await startPagesApp();
  const ada = browser();
  const begin = async () => String((await ada.open("/login")).headers.location);
  const state = new URL(await begin()).searchParams.get("state");
  const refused = await ada.open(`/login/callback?error=access_denied&state=${state}`);
  expect(refused).toMatchObject({ status: 400, body: expect.stringMatching(/did not allow/) });
  const path = people.agree(await begin(), "ada");
  github.isAway = true;
  expect((await ada.open(path)).body).toMatch(/could not be reached/);
  github.isAway = false;
  const late = people.agree(await begin(), "ada");
  skip(hour);
  expect(await ada.open(late)).toMatchObject({ status: 400 });
});

test("a session ends after eight hours, with its token, and when the cookie changes", async () => {
  const { signIn, people, skip } = await startPagesApp();
  const ada = await signIn("ada");
  const id = ada.cookies.get(session) ?? "";
  for (const other of [`0${id.slice(1)}`, id.toUpperCase(), `${id}0`, "", "__proto__"]) {
    if (other === id) continue;
    ada.cookies.set(session, other);
    expect(await ada.open("/queue")).toMatchObject({ status: 403 });
  }
  ada.cookies.set(session, id);
  expect(await ada.open("/queue")).toMatchObject({ status: 200 });
  skip(8 * hour);
  expect(await ada.open("/queue")).toMatchObject({ status: 403 });
  const bob = await signIn("bob");
  expect(await bob.open("/queue")).toMatchObject({ status: 200 });
  people.tokens.clear();
  skip(61_000);
  expect(await bob.open("/queue")).toMatchObject({ status: 403 });
});

test("a stored session is useless without the cookie", async () => {
  const { signIn, store, people } = await startPagesApp();
  const ada = await signIn("ada-lovelace");
  const notes = JSON.stringify(await store.notes.list({ kind: "session", limit: 9 }));
  const [token = "?"] = people.tokens.keys();
  for (const secret of [token, ada.cookies.get(session) ?? "?", "ada-lovelace"]) {
    expect(notes).not.toContain(secret);
  }
});

test("every page has the security headers", async () => {
  const { signIn, browser } = await startPagesApp();
  const ada = await signIn("ada");
  for (const { headers } of [await browser().open("/"), await ada.open("/")]) {
    expect(headers).toMatchObject({
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
      ),
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
  }
});
