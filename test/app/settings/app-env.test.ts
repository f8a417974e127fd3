import { chmod, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parseAppEnv, renderAppEnv } from "../../../app/settings/app-env.ts";
import { readSettings } from "../../../app/settings/settings.ts";
import { appPem as key } from "../../support/app/app-key.ts";
import { webhookSecret } from "../../support/app/deliveries.ts";
import { createTestSystem } from "../../support/project/system.ts";

const good = { APP_ID: "7", PRIVATE_KEY: key, WEBHOOK_SECRET: webhookSecret };

async function read(
  text: string,
  { mode = 0o600, env = {} }: { mode?: number; env?: object } = {},
) {
  await using system = await createTestSystem();
  const path = `${system.root}/settings`;
  if (text !== "") await writeFile(path, text);
  if (text !== "") await chmod(path, mode);
  return await readSettings({ ...system, env: { ...system.env, RALPH_APP_ENV: path, ...env } });
}

test("the App starts with the values of the settings file", async () => {
  expect(await read(renderAppEnv(good))).toMatchObject({ appId: 7, privateKey: key.trim() });
});

test("a set variable overrides the file, an empty one does not", async () => {
  const env = { APP_ID: "8", WEBHOOK_SECRET: "" };
  expect(await read(renderAppEnv(good), { env })).toMatchObject({ appId: 8, webhookSecret });
});

test("without a name the settings file is in the data folder, and may be missing", async () => {
  await using system = await createTestSystem({ env: good });
  const env = { ...system.env, RALPH_DATA_DIR: system.root };
  expect(await readSettings({ ...system, env })).toMatchObject({ appId: 7 });
  await writeFile(`${system.root}/app.env`, "PORT=4000\n", { mode: 0o600 });
  expect(await readSettings({ ...system, env })).toMatchObject({ port: 4000 });
});

test.each([
  ["a file others can read", renderAppEnv(good), 0o644, "can be read by others"],
  ["a named but missing file", "", 0o600, "there is no file"],
  [
    "a line that is not a setting",
    `${renderAppEnv(good)}-----BEGIN\n`,
    0o600,
    ":4: expected NAME=value",
  ],
])("%s is refused", async (_, text, mode, words) => {
  await expect(read(text, { mode })).rejects.toThrow(words);
});

test("written values are read back unchanged, and no error contains a secret", () => {
  const problems: string[] = [];
  const parsed = { path: "f", problems };
  const values = { A: "x=y#z", B: "one\ntwo", C: " 'quoted' " };
  expect(parseAppEnv(renderAppEnv(values), parsed)).toEqual({
    A: "x=y#z",
    B: "one\\ntwo",
    C: "quoted",
  });
  expect(parseAppEnv('# note\n\nexport D="e"\r\n', parsed)).toEqual({ D: "e" });
  parseAppEnv("hunter2hunter2\n", parsed);
  expect(problems).toEqual(["f:1: expected NAME=value."]);
});
