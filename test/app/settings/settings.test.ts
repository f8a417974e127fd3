import { chmod, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { readSettings } from "../../../app/settings/settings.ts";
import { RalphError } from "../../../src/error.ts";
import { appPem as key } from "../../support/app/app-key.ts";
import { webhookSecret } from "../../support/app/deliveries.ts";
import { createTestSystem } from "../../support/project/system.ts";

const good = { APP_ID: "1", PRIVATE_KEY: key, WEBHOOK_SECRET: webhookSecret, HOME: "/home/ada" };

async function read(env: Record<string, string>) {
  await using system = await createTestSystem({ env });
  return await readSettings(system);
}

async function problemsOf(env: Record<string, string>): Promise<string> {
  try {
    await read(env);
    return "";
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    expect(error.reason).toBe("config");
    return error.message;
  }
}

test("the required settings are enough", async () => {
  expect(await read(good)).toMatchObject({
    appId: 1,
    apiUrl: "https://api.github.com",
    serverUrl: "https://github.com",
    host: "127.0.0.1",
    port: 3000,
    dataFolder: "/home/ada/.local/state/ralph-app",
    databaseUrl: undefined,
    login: undefined,
    bots: [],
  });
});

test.each([
  ["with \\n written out", key.replaceAll("\n", "\\n")],
  ["in base64", Buffer.from(key).toString("base64")],
])("a key %s is read", async (_, text) => {
  expect(await read({ ...good, PRIVATE_KEY: text })).toMatchObject({ privateKey: key.trim() });
});

test.each([
  ["none", "", "WEBHOOK_SECRET is not set"],
  ["the framework's own", "development", "too easy to guess"],
  ["a short one", "5f0c6a1e9b7d4c2", "too easy to guess"],
  ["a long but common word", "changeme-changeme-changeme", "too easy to guess"],
  ["one repeated character", "a".repeat(64), "too easy to guess"],
])("the App does not start with %s as webhook secret", async (_, secret, words) => {
  expect(await problemsOf({ ...good, WEBHOOK_SECRET: secret })).toContain(words);
});

test.each([
  [{ APP_ID: "x" }, 'APP_ID must be a number, not "x"'],
  [{ PRIVATE_KEY: "hello" }, "PRIVATE_KEY is not a private key"],
  [{ PRIVATE_KEY: "x" }, "PRIVATE_KEY is not a private key"],
  [{ PRIVATE_KEY: "", PRIVATE_KEY_PATH: "/nowhere/key.pem" }, "there is no file /nowhere/key.pem"],
  [{ GHE_HOST: "https://x" }, "must be the name of a server"],
  [{ GHE_HOST: "git.example", GHE_PROTOCOL: "http" }, "must be https"],
  [{ DATABASE_URL: "mysql://x" }, "must begin with postgres://"],
  [{ GITHUB_CLIENT_ID: "x" }, "must be set together"],
  [{ GITHUB_CLIENT_ID: "x", GITHUB_CLIENT_SECRET: "y" }, "PUBLIC_URL is not set"],
  [
    { GITHUB_CLIENT_ID: "x", GITHUB_CLIENT_SECRET: "y", PUBLIC_URL: "http://ralph.example" },
    "must begin with https://",
  ],
  [{ METRICS_TOKEN: "metrics" }, "METRICS_TOKEN is too easy to guess"],
  [{ RALPH_BOTS: "dependabot" }, "RALPH_BOTS must be a list of account ids"],
  [{ PORT: "99999" }, 'PORT must be a number from 0 to 65535, not "99999"'],
  [{ NOTIFY_URL: "http://chat.example" }, "NOTIFY_URL must begin with https://"],
  [{ PORT: "-1" }, 'PORT must be a number from 0 to 65535, not "-1"'],
])("%j is refused", async (change, words) => {
  expect(await problemsOf({ ...good, ...change } as Record<string, string>)).toContain(words);
});

test("a key file that others can read is refused", async () => {
  await using system = await createTestSystem();
  const path = `${system.root}/key.pem`;
  await writeFile(path, key, { mode: 0o644 });
  const env = { ...good, PRIVATE_KEY: "", PRIVATE_KEY_PATH: path };
  expect(await problemsOf(env)).toContain("can be read by others");
  await chmod(path, 0o600);
  expect(await read(env)).toMatchObject({ privateKey: key });
});

test("all problems are reported at once", async () => {
  const message = await problemsOf({});
  for (const name of ["APP_ID", "PRIVATE_KEY", "WEBHOOK_SECRET"]) expect(message).toContain(name);
});
