import { stripVTControlCharacters } from "node:util";
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
} from "playwright-core";
import { type PageLog, watchPage } from "./page-log.ts";
import type {
  DriverAction,
  DriverAnswer,
  DriverElement,
  DriverRequest,
  PageLook,
} from "./protocol.ts";

/**
 * The program beside ralph that drives the browser: one JSON request a line on stdin, one answer a line on stdout. It runs
 * in the sandbox, and ralph ends it when an answer does not come in time.
 */
type Shown = { context: BrowserContext; page: Page; log: PageLog };

let browser: Browser | undefined;
let shown: Shown | undefined;

const maxText = 64 * 1024;
const maxSnapshot = 256 * 1024;
const maxPicture = 1024 * 1024;

/** Chromium asks the network for things of its own; a test needs none of them. */
const quiet = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--no-pings",
];

async function start({ executable, isSandboxed }: Extract<DriverRequest, { do: "start" }>) {
  browser = await chromium.launch({
    executablePath: executable,
    // Inside another sandbox, and as root, Chromium cannot start its own.
    chromiumSandbox: !isSandboxed && process.getuid?.() !== 0,
    args: quiet,
  });
  browser.on("disconnected", () => process.exit(3));
  return {};
}

async function newPage() {
  await shown?.context.close();
  const context = await browser?.newContext({
    viewport: { width: 1280, height: 720 },
    reducedMotion: "reduce",
    acceptDownloads: false,
    serviceWorkers: "block",
    locale: "en-US",
    timezoneId: "UTC",
  });
  if (!context) throw new Error("the browser is not started");
  const page = await context.newPage();
  shown = { context, page, log: watchPage(page) };
  return {};
}

function current(): Shown {
  if (!shown) throw new Error("there is no page");
  return shown;
}

async function open({ url, timeoutMs }: Extract<DriverRequest, { do: "open" }>) {
  const response = await current().page.goto(url, { waitUntil: "load", timeout: timeoutMs });
  return { status: response?.status() ?? 0 };
}

async function act({ action, element, timeoutMs }: Extract<DriverRequest, { do: "act" }>) {
  const { page } = current();
  if (action.verb === "press") {
    await page.keyboard.press(action.key);
    return {};
  }
  if (!element) throw new Error("no element is named");
  await perform(locate(page, element), action, timeoutMs);
  return {};
}

function locate(page: Page, { by, role, name, nth }: DriverElement): Locator {
  if (by === "css") return page.locator(name).first();
  if (by === "text") return page.getByText(name, { exact: true }).nth(nth);
  return page.getByRole(role as "button", { name, exact: true }).nth(nth);
}

function perform(target: Locator, action: DriverAction, timeout: number): Promise<unknown> {
  switch (action.verb) {
    case "fill":
      return target.fill(action.text, { timeout });
    case "select":
      return target.selectOption({ label: action.option }, { timeout });
    default:
      return target.click({ timeout });
  }
}

async function look({
  timeoutMs: timeout,
}: Extract<DriverRequest, { do: "look" }>): Promise<{ look: PageLook }> {
  const { page, log } = current();
  const body = page.locator("body");
  const [title, text, snapshot] = await Promise.all([
    page.title(),
    body.innerText({ timeout }),
    body.ariaSnapshot({ timeout }),
  ]);
  return {
    look: {
      url: page.url(),
      title,
      text: text.slice(0, maxText),
      snapshot: snapshot.slice(0, maxSnapshot),
      console: log.entries(),
      consoleTotal: log.total(),
    },
  };
}

async function picture({ timeoutMs: timeout }: Extract<DriverRequest, { do: "picture" }>) {
  const { page } = current();
  const png = await page.screenshot({ timeout, animations: "disabled" });
  if (png.length <= maxPicture) return { picture: png.toString("base64"), type: "png" as const };
  const jpeg = await page.screenshot({ timeout, type: "jpeg", quality: 60 });
  return jpeg.length <= maxPicture
    ? { picture: jpeg.toString("base64"), type: "jpeg" as const }
    : {};
}

function answer(request: DriverRequest): Promise<object> {
  switch (request.do) {
    case "start":
      return start(request);
    case "page":
      return newPage();
    case "open":
      return open(request);
    case "act":
      return act(request);
    case "look":
      return look(request);
    case "picture":
      return picture(request);
    case "close":
      return browser?.close().then(() => ({})) ?? Promise.resolve({});
  }
}

/** Playwright adds a call log and colours to its messages. */
function plainMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [first = ""] = text.split("\nCall log:");
  return stripVTControlCharacters(first).trim().slice(0, 1000);
}

async function handle(line: string): Promise<void> {
  const { id, ...request } = JSON.parse(line) as DriverRequest & { id: number };
  let result: DriverAnswer;
  try {
    result = { id, ok: true, ...(await answer(request)) };
  } catch (error) {
    result = { id, ok: false, message: plainMessage(error) };
  }
  process.stdout.write(`${JSON.stringify(result)}\n`);
  if (request.do === "close") process.exit(0);
}

let pending = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk: string) => {
  const lines = `${pending}${chunk}`.split("\n");
  pending = lines.pop() ?? "";
  for (const line of lines) void handle(line);
});
process.stdin.on("end", () => process.exit(0));
// A page that goes away in the middle of a request must not end the driver.
process.on("unhandledRejection", () => undefined);
