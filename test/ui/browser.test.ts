import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { userFolder } from "../../src/platform/fs/visible-folder.ts";
import { readProcesses } from "../../src/platform/process/process-table.ts";
import type { StartLong } from "../../src/platform/system.ts";
import { parseUiActions, type UiAction } from "../../src/schema/config/ui-action.ts";
import { type BrowserClient, createBrowser } from "../../src/ui/browser.ts";
import { runActions } from "../../src/ui/run-actions.ts";
import { sampled, thorough } from "../setup/sampled.ts";
import { createTestSystem, type TestSystem } from "../support/project/system.ts";
import { serveBadPages } from "../support/services/bad-pages.ts";
import { chromium } from "../support/services/chromium.ts";

/** A busy machine may take long for what succeeds; what fails takes all of its time. */
const patient = { loadMs: 60_000, elementMs: 60_000 };
const hasty = { loadMs: 4000, elementMs: 2500 };

const failures: [string, string | RegExp][] = [
  ["open /nothing", /answered 404|ERR_HTTP_RESPONSE_CODE_FAILURE/],
  ["open /loop", /did not load: .*ERR_TOO_MANY_REDIRECTS/],
  ["open http://localhost:1/", /did not load: .*ERR_CONNECTION_REFUSED|ERR_UNSAFE_PORT/],
  ["open /never", /did not load: .*Timeout 4000ms/],
  ["open /hang", /did not load: .*Timeout 4000ms/],
  ["open /download", "/download is a download, not a page"],
  ['open /good; click("Sav")', 'several elements are called "Sav": button "Save", button "Save"'],
  ['open /good; click("Never")', /click failed: .*Timeout 2500ms/],
  ['open /good; click("Hepl me")', /the page has no "Hepl me" after 2.5 s; nearest: .*"Help"/],
  [
    'open /good; expect("(a+)+$")',
    /^nothing on the page matches "\(a\+\)\+\$" after 2\.5 s\nnearest: /,
  ],
];

const childrenOf = (pid: number) => readProcesses().filter(({ parent }) => parent === pid);

describe.skipIf(!chromium)("a browser", () => {
  let pages: Awaited<ReturnType<typeof serveBadPages>>;
  let system: TestSystem;
  let browser: BrowserClient;
  const programs: Awaited<ReturnType<StartLong>>[] = [];

  beforeAll(async () => {
    pages = await serveBadPages();
    system = await createTestSystem();
    browser = createBrowser({
      startLong: async (command) => {
        const program = await system.startLong(command);
        programs.push(program);
        return program;
      },
      files: system.files,
      wrap: (program) => program,
      isSandboxed: false,
      root: system.root,
      env: system.env,
      executable: chromium ?? "",
      signal: new AbortController().signal,
    });
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await system[Symbol.asyncDispose]();
    pages[Symbol.dispose]();
  });

  async function play(text: string, limits = patient) {
    const read = parseUiActions(text);
    if (read.kind === "problem") throw new Error(read.message);
    const actions: UiAction[] = read.actions;
    await browser.ask({ do: "page" });
    return runActions(browser, actions, { baseUrl: pages.url, ...limits });
  }

  const look = async () => {
    const answer = await browser.ask({ do: "look", timeoutMs: 20_000 });
    if (!answer.ok || !answer.look) throw new Error("no look");
    return answer.look;
  };

  test("fills, selects, clicks and reads a page, and takes its picture", async () => {
    const steps = 'open /good; fill("Name", "Ann"); select("Country", "Peru"); click("Help")';
    expect(await play(`${steps}; expect("Good heading")`)).toEqual({ ok: true });
    const shot = await browser.ask({ do: "picture", timeoutMs: 60_000 });
    if (!shot.ok) throw new Error(shot.message);
    expect(
      Buffer.from(shot.picture ?? "", "base64")
        .subarray(1, 4)
        .toString(),
    ).toBe("PNG");
  });

  test.each(sampled(failures, 3))("%s fails with the reason", async (text, detail) => {
    const result = await play(text, hasty);
    if (result.ok) throw new Error("it passed");
    expect(result.detail).toEqual(
      typeof detail === "string" ? detail : expect.stringMatching(detail),
    );
  });

  thorough("dialogs are dismissed, and each is noted", async () => {
    expect(await play('open /dialogs; expect("after")')).toEqual({ ok: true });
    const { title, console } = await look();
    expect(title).toBe("false");
    expect(console.map(({ text }) => text)).toEqual(["alert: hi", "confirm: sure?"]);
  });

  thorough(
    "a download that a click begins is refused and noted, and the page goes on",
    async () => {
      const result = await play('open /links; click("Save as"); wait(200); expect("Links")');
      expect(result).toEqual({ ok: true });
      const { console } = await look();
      expect(console).toEqual([
        { type: "refused", text: expect.stringMatching(/^download of .*x\.sh$/) },
      ]);
      expect(console[0]?.text).not.toContain("/");
    },
  );

  thorough("a new window is closed and noted, and the page goes on", async () => {
    expect(await play('open /window; click("Open"); wait(200); expect("Open")')).toEqual({
      ok: true,
    });
    expect((await look()).console[0]?.text).toMatch(/^new window/);
  });

  test("console errors and failed loads are kept, a flood is counted", async () => {
    await play("open /errors");
    const texts = async () => (await look()).console.map(({ text }) => text);
    await expect
      .poll(texts)
      .toEqual(
        expect.arrayContaining(["bad thing", "Error: boom", expect.stringContaining("404")]),
      );
    await play("open /flood");
    await expect.poll(async () => (await look()).consoleTotal).toBeGreaterThan(1000);
    const flooded = await look();
    expect(flooded.console).toHaveLength(200);
  });

  thorough("a page of 20,000 pixels is shown as far as the window reaches", async () => {
    await play('open /tall; expect("Tall")');
    const shot = await browser.ask({ do: "picture", timeoutMs: 60_000 });
    const png = Buffer.from((shot.ok && shot.picture) || "", "base64");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1280, 720]);
  });

  thorough(
    "a browser that is killed is noticed at once, and the next page starts another",
    async () => {
      await play("open /good");
      const driver = programs.at(-1);
      if (driver?.kind !== "started") throw new Error("no driver");
      const loading = browser.ask({ do: "open", url: `${pages.url}/never`, timeoutMs: 20_000 });
      for (const { pid } of childrenOf(driver.pid)) process.kill(pid, "SIGKILL");
      expect(await loading).toMatchObject({ ok: false, isLost: true });
      expect([browser.hasEnded(), browser.isUp()]).toEqual([true, false]);
      expect(await play('open /good; expect("Good")')).toEqual({ ok: true });
      expect([browser.hasEnded(), browser.isUp()]).toEqual([false, true]);
    },
  );

  thorough("its profile goes with it, and so do profiles of killed processes", async () => {
    const folder = userFolder() ?? "";
    const dead = `ralph-tmp-999999999-1-${"0".repeat(16)}`;
    mkdirSync(`${folder}/${dead}`);
    await browser[Symbol.asyncDispose]();
    expect(await play('open /good; expect("Good")')).toEqual({ ok: true });
    expect(existsSync(`${folder}/${dead}`)).toBe(false);
    const isOwn = (name: string) => name.startsWith(`ralph-tmp-${process.pid}-`);
    const own = readdirSync(folder).find(isOwn) ?? "";
    expect(readdirSync(`${folder}/${own}`).join()).toContain("playwright_chromiumdev_profile");
    await browser[Symbol.asyncDispose]();
    expect(existsSync(`${folder}/${own}`)).toBe(false);
  });

  test("a busy page costs its time limit, and the next test has a fresh one", async () => {
    await play("open /spin; wait(200)");
    expect(await browser.ask({ do: "look", timeoutMs: 300 })).toMatchObject({ ok: false });
    expect(await play('open /good; expect("Good")')).toEqual({ ok: true });
  });

  thorough("a crashed tab fails, and the next test has a fresh one", async () => {
    await browser.ask({ do: "page" });
    const crash = { do: "open", url: "chrome://crash", timeoutMs: 1500 } as const;
    expect(await browser.ask(crash)).toMatchObject({ ok: false });
    expect(await play('open /good; expect("Good")')).toEqual({ ok: true });
  });
});
