import {
  chooseElement,
  type ElementChoice,
  type ElementVerb,
  nearestOnPage,
} from "../core/verify/choose-element.ts";
import { showsExpected } from "../core/verify/page-words.ts";
import { clock } from "../platform/clock.ts";
import type { UiAction } from "../schema/config/ui-action.ts";
import type { BrowserClient } from "./browser.ts";
import type { DriverAction, DriverElement, PageLook } from "./driver/protocol.ts";

/** Where pages are: `http://localhost:5173`, and what limits a test. Times in milliseconds. */
export interface PageLimits {
  baseUrl: string;
  loadMs: number;
  elementMs: number;
}

export const usualLimits = { loadMs: 10_000, elementMs: 5000 };

/** The result of an action; `isLost`: the browser is gone, and every later action of the test with it. */
export type ActionResult = { ok: true } | { ok: false; detail: string; isLost?: boolean };

const pollMs = 50;
const done: ActionResult = { ok: true };

/** Performs actions one after the other, up to the first that fails. */
export async function runActions(
  browser: BrowserClient,
  actions: readonly UiAction[],
  limits: PageLimits,
): Promise<ActionResult> {
  for (const action of actions) {
    const result = await runAction(browser, action, limits);
    if (!result.ok) return result;
  }
  return done;
}

function runAction(
  browser: BrowserClient,
  action: UiAction,
  limits: PageLimits,
): Promise<ActionResult> {
  switch (action.verb) {
    case "open":
      return open(browser, action.path, limits);
    case "expect":
      return expectOnPage(browser, action.words, limits);
    case "wait":
      return clock.sleep(action.ms).then(() => done);
    case "press":
      return perform(browser, { action, element: undefined }, limits);
    case "fill":
      return onElement(browser, { verb: "fill", name: action.name, action }, limits);
    case "select":
      return onElement(browser, { verb: "select", name: action.name, action }, limits);
    case "click":
    case "click_tab": {
      const { verb, name } = action;
      return onElement(browser, { verb, name, action: { verb: "click" } }, limits);
    }
  }
}

async function open(
  browser: BrowserClient,
  path: string,
  { baseUrl, loadMs: timeoutMs }: PageLimits,
): Promise<ActionResult> {
  const url = path.startsWith("/") ? `${baseUrl}${path}` : path;
  const answer = await browser.ask({ do: "open", url, timeoutMs });
  if (!answer.ok) {
    const isDownload = /Download is starting/.test(answer.message);
    const detail = isDownload
      ? `${path} is a download, not a page`
      : `${path} did not load: ${answer.message}`;
    return { ok: false, detail, isLost: answer.isLost ?? false };
  }
  const { status = 0 } = answer;
  return status < 400 ? done : { ok: false, detail: `${path} answered ${status}` };
}

type Target = { verb: ElementVerb; name: string; action: DriverAction };

/** Waits until the page has the element, then acts on it. */
async function onElement(
  browser: BrowserClient,
  { verb, name, action }: Target,
  limits: PageLimits,
): Promise<ActionResult> {
  if (/^[#.[][^\s]/.test(name)) {
    const element = { by: "css", role: "", name, nth: 0 } as const;
    return perform(browser, { action, element }, limits);
  }
  const seen: { choice: ElementChoice } = { choice: { kind: "missing", nearest: [] } };
  const found = await untilLooks(browser, limits.elementMs, ({ snapshot }) => {
    seen.choice = chooseElement(snapshot, verb, name);
    return seen.choice.kind === "found";
  });
  if (found.kind === "lost") return found.result;
  const { choice } = seen;
  if (choice.kind !== "found") return { ok: false, detail: describeMissing(choice, name, limits) };
  const { role, nth } = choice.element;
  const by = hasNamedRole(role) ? "role" : "text";
  return perform(
    browser,
    { action, element: { by, role, name: choice.element.name, nth } },
    limits,
  );
}

/** The snapshot's name for these is their text, which is no accessible name. */
const hasNamedRole = (role: string) =>
  !["text", "paragraph", "listitem", "generic", "strong", "emphasis", "code", "cell"].includes(
    role,
  );

function describeMissing(
  choice: Exclude<ElementChoice, { kind: "found" }>,
  name: string,
  { elementMs }: PageLimits,
): string {
  if (choice.kind === "several")
    return `several elements are called "${name}": ${choice.names.join(", ")}`;
  const nearest = choice.nearest.length === 0 ? "" : `; nearest: ${choice.nearest.join(", ")}`;
  return `the page has no "${name}" after ${elementMs / 1000} s${nearest}`;
}

async function perform(
  browser: BrowserClient,
  { action, element }: { action: DriverAction; element: DriverElement | undefined },
  { elementMs: timeoutMs }: PageLimits,
): Promise<ActionResult> {
  const answer = await browser.ask({ do: "act", action, element, timeoutMs });
  if (answer.ok) return done;
  const detail = `${action.verb} failed: ${answer.message}`;
  return { ok: false, detail, isLost: answer.isLost ?? false };
}

/** Waits until the page shows what is expected. */
export async function expectOnPage(
  browser: BrowserClient,
  words: string,
  { elementMs }: Pick<PageLimits, "elementMs">,
): Promise<ActionResult> {
  let snapshot = "";
  const seen = await untilLooks(browser, elementMs, (look) => {
    snapshot = look.snapshot;
    return showsExpected(look, words);
  });
  if (seen.kind === "lost") return seen.result;
  if (seen.kind === "held") return done;
  const nearest = nearestOnPage(snapshot, words);
  const hint = nearest.length === 0 ? "" : `\nnearest: ${nearest.join(", ")}`;
  const problem = `nothing on the page matches "${words}" after ${elementMs / 1000} s`;
  return { ok: false, detail: `${problem}${hint}` };
}

type Looked = { kind: "held" } | { kind: "late" } | { kind: "lost"; result: ActionResult };

/** Looks at the page again and again until a condition holds. */
export async function untilLooks(
  browser: BrowserClient,
  timeoutMs: number,
  holds: (look: PageLook) => boolean,
): Promise<Looked> {
  const deadline = clock.monotonic() + timeoutMs;
  while (true) {
    const answer = await browser.ask({ do: "look", timeoutMs });
    if (answer.ok && answer.look && holds(answer.look)) return { kind: "held" };
    const isLate = clock.monotonic() >= deadline;
    if (!answer.ok && (answer.isLost || isLate)) {
      const { message: detail, isLost = false } = answer;
      return { kind: "lost", result: { ok: false, detail, isLost } };
    }
    if (isLate) return { kind: "late" };
    // In the middle of a navigation there may be nothing to look at yet.
    await clock.sleep(pollMs);
  }
}
