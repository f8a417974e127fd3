import { readFile, stat, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { readSettings } from "../../../app/settings/settings.ts";
import { readSetupSettings } from "../../../app/setup/setup-settings.ts";
import { type RunningSetup, startSetup } from "../../../app/setup/start-setup.ts";
import { RalphError } from "../../../src/error.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import type { System } from "../../../src/platform/system.ts";
import { appPem as pem } from "../../support/app/app-key.ts";
import { type GitHubServer, startGitHubServer } from "../../support/github/server.ts";
import { createTestFolder } from "../../support/project/system.ts";

const made = {
  ...{ id: 77, slug: "ralph-octo", html_url: "https://github.com/apps/ralph-octo", pem },
  ...{ client_id: "Iv1.a", client_secret: "c0ffee", webhook_secret: "5f0c6a1e9b7d4c2f8e3a" },
};

interface Test {
  github: GitHubServer;
  system: System;
  file: string;
  setup: RunningSetup;
}

async function start(status = 201): Promise<Test> {
  const folder = await createTestFolder();
  const github = await startGitHubServer(({ method, path }) => {
    const isKnown = method === "POST" && path === "/api/v3/app-manifests/c0de/conversions";
    return isKnown ? { status, body: made } : { status: 404, body: { message: "Not Found" } };
  });
  const file = `${folder.path}/data/app.env`;
  const env = {
    ...{ GHE_HOST: new URL(github.url).host, GHE_PROTOCOL: "http", GH_ORG: "octo", PORT: "0" },
    ...{ PUBLIC_URL: "https://ralph.example", RALPH_APP_ENV: file },
  };
  const system = { ...createSystem(), env };
  const setup = await startSetup(system, readSetupSettings(env));
  onTestFinished(async () => {
    await setup[Symbol.asyncDispose]();
    await github[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  return { github, system, file, setup };
}

/** Returns the button's target and its form values. */
async function openPage({ setup }: Test) {
  const answer = await fetch(setup.url);
  const html = await answer.text();
  const [, action = ""] = /action="([^"]*)"/.exec(html) ?? [];
  const [, manifest = ""] = /name="manifest" value="([^"]*)"/.exec(html) ?? [];
  const unescaped = (text: string) =>
    text.replace(/&#(\d+);|&(amp|quot|lt|gt);/g, (_, code, name) =>
      code
        ? String.fromCodePoint(Number(code))
        : { amp: "&", quot: '"', lt: "<", gt: ">" }[name as "amp"],
    );
  const target = new URL(unescaped(action));
  return {
    target,
    state: target.searchParams.get("state") ?? "",
    manifest: JSON.parse(unescaped(manifest)),
    policy: answer.headers.get("content-security-policy"),
  };
}

const comeBack = ({ setup }: Test, query: Record<string, string>) =>
  fetch(`${setup.url}/done?${new URLSearchParams(query)}`);

test("one click creates the App, writes its settings readable by the owner only, and the App can start", async () => {
  const test = await start();
  const { target, state, manifest, policy } = await openPage(test);
  expect(target.pathname).toBe("/organizations/octo/settings/apps/new");
  expect(policy).toContain(`form-action ${test.github.url}`);
  expect(manifest).toMatchObject({ name: "ralph", redirect_url: `${test.setup.url}/done` });
  const done = await comeBack(test, { code: "c0de", state });
  expect(done.status).toBe(200);
  expect(await done.text()).toContain("https://github.com/apps/ralph-octo/installations/new");
  expect(await test.setup.created).toMatchObject({ id: 77 });
  expect((await stat(test.file)).mode & 0o777).toBe(0o600);
  expect(await readSettings(test.system)).toMatchObject({
    ...{ appId: 77, privateKey: pem.trim(), webhookSecret: made.webhook_secret },
    ...{ publicUrl: "https://ralph.example", login: { clientId: "Iv1.a", clientSecret: "c0ffee" } },
  });
});

test("an answer that did not come from the App's page creates nothing", async () => {
  const test = await start();
  const { state } = await openPage(test);
  for (const query of [
    { code: "c0de" },
    { code: "c0de", state: "f".repeat(32) },
    { code: "../../user", state },
  ]) {
    expect((await comeBack(test, query)).status).toBe(400);
  }
  expect(test.github.seen).toEqual([]);
  await expect(stat(test.file)).rejects.toThrow("ENOENT");
});

test("another host name for this machine is refused", async () => {
  const { setup } = await start();
  const status = await new Promise((resolve, reject) => {
    const asked = request(setup.url, { headers: { host: "evil.example" } }, ({ statusCode }) =>
      resolve(statusCode),
    );
    asked.on("error", reject).end();
  });
  expect(status).toBe(404);
});

test("a refused code is reported, and nothing is written", async () => {
  const test = await start(404);
  const { state } = await openPage(test);
  const answer = await comeBack(test, { code: "c0de", state });
  expect(answer.status).toBe(502);
  expect(await answer.text()).toContain("answered 404");
  await expect(stat(test.file)).rejects.toThrow("ENOENT");
});

test("existing settings are never overwritten", async () => {
  const test = await start();
  const { state } = await openPage(test);
  await writeFile(test.file.replace("data/app.env", "other"), "kept", { mode: 0o600 });
  const env = { ...test.system.env, RALPH_APP_ENV: test.file.replace("data/app.env", "other") };
  expect(() => readSetupSettings(env)).toThrow("exists already");
  await comeBack(test, { code: "c0de", state });
  const first = await readFile(test.file, "utf8");
  expect((await comeBack(test, { code: "c0de", state })).status).toBe(502);
  expect(await readFile(test.file, "utf8")).toBe(first);
});

test("a port in use is reported", async () => {
  const { system, setup, file } = await start();
  const settings = readSetupSettings({ ...system.env, RALPH_APP_ENV: `${file}.other` });
  const taken = { ...settings, port: Number(new URL(setup.url).port) };
  await expect(startSetup(system, taken)).rejects.toThrow("EADDRINUSE");
});

test("all missing settings are reported at once", () => {
  try {
    readSetupSettings({ HOME: "/nowhere", GHE_HOST: "https://x", GH_ORG: "a/b", PORT: "x" });
    expect.unreachable();
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    for (const name of ["PUBLIC_URL", "GHE_HOST", "GH_ORG", "PORT"])
      expect(error.message).toContain(name);
  }
});
