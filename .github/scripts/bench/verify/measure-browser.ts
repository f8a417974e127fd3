import type { AddressInfo } from "node:net";
import { createSystem } from "../../../../src/platform/create-system.ts";
import { startLong } from "../../../../src/platform/process/start-long.ts";
import { sandboxCommand } from "../../../../src/sandbox/profile.ts";
import { type BrowserClient, createBrowser } from "../../../../src/ui/browser.ts";
import { findChromium } from "../../../../src/ui/find-chromium.ts";
import { expectOnPage, runActions, usualLimits } from "../../../../src/ui/run-actions.ts";
import { hasBubblewrap } from "../../../../test/support/project/sandbox.ts";
import { median } from "../measure.ts";
import { type Row, row } from "../row.ts";
import { type BareFigures, hangMs, measureBare, tests } from "./bare-browser.ts";
import { servePage, timed } from "./figures.ts";
import { readDescendants, settledMemory } from "./shared-memory.ts";

/** Browser tests in the sandbox, beside the same loads of a browser that a script drives without one. */
export async function measureBrowser(root: string): Promise<Row[]> {
  const executable = await findChromium(createSystem());
  if (executable === undefined) {
    console.error("skipped: browser tests; this machine has no Chromium");
    return [];
  }
  const server = await servePage();
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const bare = await measureBare(executable, baseUrl);
  await using browser = openBrowser(root, executable);
  const ours = await measureOurs(browser, baseUrl);
  server.close();
  server.closeAllConnections();
  return rowsOf(ours, bare);
}

function openBrowser(root: string, executable: string): BrowserClient {
  const { files } = createSystem();
  const { signal } = new AbortController();
  const none = { writable: [], readOnly: [], hiddenFolders: [], hiddenFiles: [] };
  const profile = { ...none, worktree: root, isRoot: process.getuid?.() === 0 };
  if (!hasBubblewrap) console.error("without a sandbox: this machine has no bubblewrap");
  return createBrowser({
    ...{ startLong, files, root, env: process.env, executable, signal },
    wrap: (program) => (hasBubblewrap ? sandboxCommand(program, profile) : program),
    isSandboxed: hasBubblewrap,
  });
}

async function measureOurs(browser: BrowserClient, baseUrl: string): Promise<BareFigures> {
  const before = readDescendants();
  const startMs = await timed(() => browser.ask({ do: "page" }));
  const testsMs = await timed(() => runTests(browser, baseUrl));
  const warm: number[] = [];
  for (let round = 0; round < tests; round++)
    warm.push(await timed(() => runTest(browser, baseUrl)));
  const megabytes = await settledMemory(before);
  await browser.ask({ do: "page" });
  const hungMs = await timed(() => hang(browser, baseUrl));
  return { startMs, testsMs, warmMs: median(warm), megabytes, hungMs };
}

function rowsOf(ours: BareFigures, bare: BareFigures): Row[] {
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  return [
    row("start of the browser, with its first page", ours.startMs, "ms", {
      ...{ goal: 1500, beside: ms(bare.startMs) },
    }),
    {
      ...{ what: "ten browser tests", beside: ms(bare.testsMs), ralph: ms(ours.testsMs) },
      ...{ figure: ours.testsMs / bare.testsMs, unit: "times", goal: 3 },
    },
    row("a browser criterion on a warm stage", ours.warmMs, "ms", {
      ...{ goal: 300, beside: ms(bare.warmMs) },
    }),
    row("a page that never answers, beyond its limit of 2 s", ours.hungMs - hangMs, "ms", {
      ...{ goal: 1000, beside: ms(bare.hungMs - hangMs) },
    }),
    row("memory of driver and browser, shared parts once", ours.megabytes, "MB", {
      ...{ goal: 600, beside: `${bare.megabytes.toFixed(0)} MB for the browser` },
    }),
  ];
}

async function hang(browser: BrowserClient, baseUrl: string): Promise<void> {
  const limits = { baseUrl, ...usualLimits, loadMs: hangMs };
  const opened = await runActions(browser, [{ verb: "open", path: "/hang" }], limits);
  if (opened.ok) throw new Error("The page that never answers was loaded.");
}

async function runTests(browser: BrowserClient, baseUrl: string): Promise<void> {
  for (let test = 0; test < tests; test++) {
    await browser.ask({ do: "page" });
    await runTest(browser, baseUrl);
    await browser.ask({ do: "picture", timeoutMs: 5000 });
  }
}

async function runTest(browser: BrowserClient, baseUrl: string): Promise<void> {
  const limits = { baseUrl, ...usualLimits };
  const opened = await runActions(browser, [{ verb: "open", path: "/" }], limits);
  const shown = await expectOnPage(browser, "Welcome heading", limits);
  if (!opened.ok || !shown.ok) throw new Error("The page did not load.");
}
