import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { type Browser, chromium, type Page } from "playwright-core";
import { median } from "../measure.ts";
import { timed } from "./figures.ts";
import { readDescendants, settledMemory } from "./shared-memory.ts";

export type BareFigures = {
  /** Of a program that drives it, until the first page can be used. */
  startMs: number;
  /** Ten tests, each in a context of its own. */
  testsMs: number;
  /** One load of a page that was there before. */
  warmMs: number;
  megabytes: number;
  /** A page that never answers, with a limit of `hangMs`. */
  hungMs: number;
};

export const tests = 10;
export const hangMs = 2000;

/** The same loads without ralph and outside of any sandbox. */
export async function measureBare(executablePath: string, baseUrl: string): Promise<BareFigures> {
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const options = { executablePath, args };
  const startMs = await timed(() => startBare(options));
  const before = readDescendants();
  const browser = await chromium.launch(options);
  const page = await browser.newPage();
  const testsMs = await timed(() => loadOften(browser, baseUrl));
  const warm: number[] = [];
  for (let round = 0; round < tests; round++) warm.push(await timed(() => load(page, baseUrl)));
  const megabytes = await settledMemory(before);
  const hungMs = await timed(() =>
    page.goto(`${baseUrl}/hang`, { timeout: hangMs }).catch(() => undefined),
  );
  await browser.close();
  return { startMs, testsMs, warmMs: median(warm), megabytes, hungMs };
}

/** In a program of its own, which loads Playwright too. */
async function startBare(options: object): Promise<void> {
  const library = createRequire(import.meta.url).resolve("playwright-core");
  const script = `require(${JSON.stringify(library)}).chromium.launch(${JSON.stringify(options)})
    .then((browser) => browser.newPage()).then(() => console.log("up"))`;
  const program = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  await once(program.stdout, "data");
  program.kill();
  await once(program, "exit");
}

async function loadOften(browser: Browser, baseUrl: string): Promise<void> {
  for (let test = 0; test < tests; test++) {
    const context = await browser.newContext();
    await (await context.newPage()).goto(baseUrl);
    await context.close();
  }
}

async function load(page: Page, baseUrl: string): Promise<void> {
  await page.goto(baseUrl);
  await page.locator("h1").innerText();
}
