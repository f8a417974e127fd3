import { chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { removeCheckoutCredentials } from "../../../src/action/checks/checkout-credentials.ts";
import { createGitProject } from "../../support/project/git.ts";
import type { JobPlace, StandInCall } from "../../support/runner/model.ts";
import { checkout, olderCheckout } from "../../support/runner/stand-ins/checkout.ts";

const token = "ghs_canary0123456789";
const basic = Buffer.from(`x-access-token:${token}`).toString("base64");

/** A job after its checkout, by one of the stand-ins. */
async function createJob(stand: typeof checkout, given: Record<string, string> = {}) {
  const project = await createGitProject();
  const place: JobPlace = {
    workspace: join(project.folder, "work"),
    temp: join(project.folder, "temp"),
    home: join(project.folder, "home"),
    toolCache: "",
  };
  for (const path of [place.workspace, place.temp]) mkdirSync(path);
  const github = { ref: "refs/heads/main", server_url: "https://github.com", token };
  const host = { repository: project.root } as StandInCall["host"];
  await stand({ with: given, env: {}, github, place, host, log: () => {}, addPath: () => {} });
  const system = { ...project.system, env: { ...project.system.env, RUNNER_TEMP: place.temp } };
  return {
    project,
    place,
    system,
    remove: () => removeCheckoutCredentials(system, place.workspace),
  };
}

/** Files below a folder that hold the token in any form. */
function holders(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => [token, basic].some((text) => readFileSync(path).includes(text)));
}

describe.each([
  ["version 6", checkout, /temp\/git-credentials-.+\.config$/],
  ["versions before 6", olderCheckout, /work\/\.git\/config$/],
])("the token that %s of the checkout leaves", (_, stand, where) => {
  test("is removed, and the file is named", async () => {
    const { project, place, remove } = await createJob(stand);
    await using _ = project;
    expect([...holders(place.workspace), ...holders(place.temp)]).toHaveLength(1);
    expect(await remove()).toEqual([expect.stringMatching(where)]);
    expect([...holders(place.workspace), ...holders(place.temp)]).toEqual([]);
    project.gitIn(place.workspace, "status");
  });

  test("does not exist with persist-credentials: false", async () => {
    const { project, remove } = await createJob(stand, { "persist-credentials": "false" });
    await using _ = project;
    expect(await remove()).toEqual([]);
  });
});

const header = `[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic ${basic}\n`;

function addModule(place: JobPlace, path: string, text = header): string {
  const folder = join(place.workspace, ".git/modules", path);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config"), `[core]\n\tbare = false\n${text}`);
  return join(folder, "config");
}

test("the token is removed from submodules, nested ones included", async () => {
  const { project, place, remove } = await createJob(olderCheckout);
  await using _ = project;
  const files = ["lib", "vendor/other", "lib/modules/inner"].map((path) => addModule(place, path));
  addModule(place, "plain", "");
  const found = await remove();
  expect(found.toSorted()).toEqual([join(place.workspace, ".git/config"), ...files].toSorted());
  expect(holders(place.workspace)).toEqual([]);
  expect(readFileSync(files[0] ?? "", "utf8")).toContain("bare = false");
});

test("a credential file that only submodules or another clone include is emptied", async () => {
  const { project, place, remove } = await createJob(checkout, { "persist-credentials": "false" });
  await using _ = project;
  const file = join(place.temp, "git-credentials-1.config");
  writeFileSync(file, header);
  expect(await remove()).toEqual([file]);
  expect(holders(place.temp)).toEqual([]);
});

test("the user's other configuration files do not change", async () => {
  const { project, place, remove } = await createJob(checkout);
  await using _ = project;
  const own = join(project.folder, "own.config");
  writeFileSync(own, header);
  project.gitIn(place.workspace, "config", "--local", "include.path", own);
  const global = join(place.home, ".gitconfig");
  writeFileSync(global, `${readFileSync(global, "utf8")}${header}`);
  await remove();
  for (const path of [own, global]) expect(readFileSync(path, "utf8")).toContain(basic);
});

test("other settings of the repository do not change", async () => {
  const { project, place, remove } = await createJob(olderCheckout);
  await using _ = project;
  project.gitIn(place.workspace, "config", "http.https://github.com/.sslVerify", "true");
  project.gitIn(place.workspace, "config", "user.name", "Ada");
  await remove();
  const list = project.gitIn(place.workspace, "config", "--local", "--list");
  expect(list).toContain("user.name=Ada");
  expect(list).toContain("http.https://github.com/.sslverify=true");
});

test("a token that cannot be removed stops the job", async () => {
  const { project, place, remove } = await createJob(olderCheckout);
  await using _ = project;
  // As a git that was killed while it wrote leaves it.
  writeFileSync(join(place.workspace, ".git/config.lock"), "");
  await expect(remove()).rejects.toMatchObject({
    exitCode: 1,
    message: expect.stringMatching(/could not remove the token .*\.git\/config/),
    remedy: expect.stringContaining("persist-credentials: false"),
  });
});

test.skipIf(process.getuid?.() !== 0)(
  "the token is removed from a checkout that belongs to another user",
  async () => {
    const { project, place, system } = await createJob(olderCheckout);
    await using _ = project;
    const entries = readdirSync(place.workspace, { recursive: true, encoding: "utf8" });
    for (const path of [".", ...entries]) chownSync(join(place.workspace, path), 1001, 1001);
    const env = { ...system.env, GIT_CONFIG_COUNT: "1" };
    const trusted = { GIT_CONFIG_KEY_0: "safe.directory", GIT_CONFIG_VALUE_0: "*" };
    await removeCheckoutCredentials({ ...system, env: { ...env, ...trusted } }, place.workspace);
    expect(holders(place.workspace)).toEqual([]);
  },
);

test("the job stops where git cannot list the settings", async () => {
  const { project, place, system } = await createJob(olderCheckout);
  await using _ = project;
  const ask: typeof system.ask = async (command) => {
    const answer = await system.ask(command);
    return command.args.includes("--list") ? { ...answer, exitCode: 128 } : answer;
  };
  await expect(
    removeCheckoutCredentials({ ...system, ask }, place.workspace),
  ).rejects.toMatchObject({ exitCode: 1, message: expect.stringContaining("actions/checkout") });
});
