import type { FactOf } from "../../core/state/event.ts";
import { clock } from "../../platform/clock.ts";
import type { Ui } from "../../schema/config/ui.ts";
import { parseUiActions, type UiAction } from "../../schema/config/ui-action.ts";
import { createStopwatch } from "../../services/health.ts";
import { type BrowserClient, createBrowser } from "../../ui/browser.ts";
import { requireChromium } from "../../ui/find-chromium.ts";
import { type ActionResult, expectOnPage, runActions, usualLimits } from "../../ui/run-actions.ts";
import { type Sight, seePage } from "../../ui/see-page.ts";
import { browserDeps, sightDeps } from "../loop/open-stage.ts";
import { runBrowserScript } from "./browser-script.ts";
import type { VerifyPlace } from "./verify-place.ts";

type UiTest = Ui["agent_browser"]["tests"][number];

/** The script first, then the tests of the configuration, each in a fresh page unless it goes on where the last one was. */
export async function runBrowserPhase(place: VerifyPlace, baseUrl: string): Promise<void> {
  const elapsed = createStopwatch();
  const { script, tests } = place.config.ui.agent_browser;
  const failed: string[] = [];
  const ran = script === undefined ? undefined : await runBrowserScript(place, script, baseUrl);
  if (script !== undefined && ran?.isGreen === false) failed.push(script);
  if (tests.length > 0) {
    await using browser = createBrowser(browserDeps(place, await requireChromium(place.system)));
    failed.push(...(await runTests(place, browser, { tests, baseUrl })));
  }
  if (place.cancel.aborted) return;
  await place.notice({
    ...{ type: "verify_phase_end", phase: "browser", tree: place.tree },
    ...{ status: failed.length === 0 ? "passed" : "failed", ms: elapsed() },
    detail: failed.length === 0 ? "" : `failed: ${failed.join(", ")}`,
    ...(ran && { files: ran.files }),
  });
}

/** Losing the browser again and again ends the phase. */
const maxLosses = 3;

async function runTests(
  place: VerifyPlace,
  browser: BrowserClient,
  { tests, baseUrl }: { tests: readonly UiTest[]; baseUrl: string },
): Promise<string[]> {
  const failed: string[] = [];
  let losses = 0;
  let hasPage = false;
  for (const [index, test] of tests.entries()) {
    if (place.cancel.aborted) break;
    if (losses >= maxLosses) return [...failed, leftOut(tests.length - index)];
    await place.notice({ type: "ui_test_start", test: test.name, framework: "browser" });
    const { actions, needsPage } = actionsOf(test, hasPage);
    const ended = await playTest(place, browser, { test, actions, needsPage, baseUrl });
    if (place.cancel.aborted) break;
    await place.notice(ended.fact);
    if (ended.fact.status === "failed") failed.push(test.name);
    if (ended.isLost) losses++;
    hasPage = !ended.isLost;
  }
  return failed;
}

const leftOut = (count: number) =>
  `${count} more did not run: the browser was lost ${maxLosses} times`;

/** A test that opens something starts afresh; the first one starts on `/`. */
function actionsOf(test: UiTest, hasPage: boolean): { actions: UiAction[]; needsPage: boolean } {
  const read = parseUiActions(test.action);
  if (read.kind === "problem") throw new Error(`${test.name} ${read.message}`);
  const opensItself = read.actions[0]?.verb === "open";
  const start: UiAction[] = opensItself || hasPage ? [] : [{ verb: "open", path: "/" }];
  return { actions: [...start, ...read.actions], needsPage: opensItself || !hasPage };
}

type Play = { test: UiTest; actions: readonly UiAction[]; needsPage: boolean; baseUrl: string };

async function playTest(
  place: VerifyPlace,
  browser: BrowserClient,
  play: Play,
): Promise<{ fact: FactOf<"ui_test_end">; isLost: boolean }> {
  const elapsed = createStopwatch();
  const result = await performTwice(place, browser, play);
  const ms = elapsed();
  const isLost = !result.ok && result.isLost === true;
  const sight: Sight = isLost
    ? { errors: [], shows: [] }
    : await seePage(browser, sightDeps(place));
  const problem = result.ok ? pageProblem(play.test, sight) : result.detail;
  const { errors, shows, picture, ...seen } = sight;
  const isShown = problem === undefined || place.config.ui.browser_use.screenshot_on_failure;
  return {
    isLost,
    fact: {
      ...{ type: "ui_test_end", test: play.test.name, framework: "browser", ms },
      status: problem === undefined ? "passed" : "failed",
      detail:
        problem === undefined
          ? ""
          : [problem, ...shows, ...errors.slice(0, 5).map(consoleLine)].join("\n"),
      ...seen,
      ...(picture && isShown && { picture }),
    },
  };
}

/** A browser that ended by itself is started again, once, if the test needs nothing of the page before it. */
async function performTwice(
  place: VerifyPlace,
  browser: BrowserClient,
  play: Play,
): Promise<ActionResult> {
  const first = await withinLimit(place, performTest(browser, play));
  const isOver = first.ok || !browser.hasEnded() || !play.needsPage || place.cancel.aborted;
  return isOver ? first : withinLimit(place, performTest(browser, play));
}

const consoleLine = (text: string) => `console: ${text}`;

async function performTest(
  browser: BrowserClient,
  { test, actions, needsPage, baseUrl }: Play,
): Promise<ActionResult> {
  const limits = { baseUrl, ...usualLimits };
  if (needsPage) {
    const fresh = await browser.ask({ do: "page" });
    if (!fresh.ok) return { ok: false, detail: fresh.message, isLost: true };
  }
  const acted = await runActions(browser, actions, limits);
  if (!acted.ok || test.expected === undefined) return acted;
  return expectOnPage(browser, test.expected, limits);
}

/** Without an expectation a page without errors is what is expected. */
function pageProblem(test: UiTest, { errors }: Sight): string | undefined {
  return test.expected === undefined && errors.length > 0 ? "the console shows errors" : undefined;
}

async function withinLimit(
  { config, cancel }: VerifyPlace,
  result: Promise<ActionResult>,
): Promise<ActionResult> {
  const seconds = config.ui.browser_use.timeout;
  const over = new AbortController();
  const late = clock
    .sleep(seconds * 1000, AbortSignal.any([over.signal, cancel]))
    .then(
      (): ActionResult => ({ ok: false, detail: `not finished after ${seconds} s`, isLost: true }),
    );
  const first = await Promise.race([result, late]);
  over.abort("ended");
  return first;
}
