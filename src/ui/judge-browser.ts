import type { CriterionResult } from "../core/state/event.ts";
import type { EvidenceRef } from "../core/state/measurement.ts";
import {
  type BrowserCriterion,
  parseBrowserCriterion,
  type ResultWords,
} from "../core/verify/browser-criterion.ts";
import { showsExpected } from "../core/verify/page-words.ts";
import { clock } from "../platform/clock.ts";
import type { BrowserClient } from "./browser.ts";
import {
  type ActionResult,
  expectOnPage,
  type PageLimits,
  runActions,
  untilLooks,
} from "./run-actions.ts";
import { type Sight, type SightDeps, seePage } from "./see-page.ts";

export type BrowserVerdict = Pick<CriterionResult, "verdict" | "detail" | "evidence" | "picture">;
type Judged = Pick<CriterionResult, "verdict" | "detail">;

export interface JudgeDeps extends SightDeps {
  browser: BrowserClient;
  limits: PageLimits;
}

/** Judges the browser criteria of one task, in order and on one page: cookies and history stay. */
export function createBrowserJudge(deps: JudgeDeps): (words: string) => Promise<BrowserVerdict> {
  const { browser } = deps;
  let hasPage = false;
  const judgeOnce = async (criterion: Readable): Promise<Judged> => {
    const isFirst = !hasPage;
    if (isFirst) {
      const fresh = await browser.ask({ do: "page" });
      if (!fresh.ok) return { verdict: "to_judge", detail: fresh.message };
      hasPage = true;
    }
    const judged = await judge(deps, criterion, isFirst);
    if (!browser.isUp()) hasPage = false;
    return judged;
  };
  return async (words) => {
    const criterion = parseBrowserCriterion(words);
    if (criterion.kind === "unreadable") {
      return { verdict: "to_judge", detail: "names no action that ralph knows" };
    }
    const first = await judgeOnce(criterion);
    // A browser that ended by itself is started again, once.
    const judged = browser.hasEnded() ? await judgeOnce(criterion) : first;
    const sight = hasPage ? await seePage(browser, deps) : {};
    return { ...judged, ...evidenceOf(sight) };
  };
}

const evidenceOf = ({
  snapshot,
  picture,
}: Pick<Sight, "snapshot" | "picture">): { evidence?: EvidenceRef; picture?: EvidenceRef } => ({
  ...(snapshot && { evidence: snapshot }),
  ...(picture && { picture }),
});

type Readable = Exclude<BrowserCriterion, { kind: "unreadable" }>;

async function judge(deps: JudgeDeps, criterion: Readable, isFirst: boolean): Promise<Judged> {
  const { browser, limits } = deps;
  const opensItself = criterion.kind === "act" && criterion.actions[0]?.verb === "open";
  if (isFirst && !opensItself) {
    const start = await runActions(browser, [{ verb: "open", path: "/" }], limits);
    if (!start.ok) return failed(start);
  }
  if (criterion.kind === "console") return judgeConsole(browser);
  const before = await urlOf(browser);
  const acted = await runActions(browser, criterion.actions, limits);
  return acted.ok ? judgeResult(deps, criterion.result, before) : failed(acted);
}

const failed = ({ detail }: Extract<ActionResult, { ok: false }>): Judged => ({
  verdict: "failed",
  detail,
});
const proved = (detail: string): Judged => ({ verdict: "proved", detail });

const lookMs = 5000;
/** How long something must stay away. */
const absenceMs = 500;

async function judgeConsole(browser: BrowserClient): Promise<Judged> {
  const answer = await browser.ask({ do: "look", timeoutMs: lookMs });
  if (!answer.ok || !answer.look) return { verdict: "failed", detail: "the page cannot be read" };
  const errors = answer.look.console.filter(({ type }) => type === "error");
  if (errors.length === 0) return proved("the console shows no errors");
  const shown = errors.slice(0, 5).map(({ text }) => text);
  return { verdict: "failed", detail: `the console shows errors: ${shown.join(" | ")}` };
}

async function urlOf(browser: BrowserClient): Promise<string> {
  const answer = await browser.ask({ do: "look", timeoutMs: lookMs });
  return answer.ok ? (answer.look?.url ?? "") : "";
}

async function judgeResult(
  { browser, limits }: JudgeDeps,
  result: ResultWords,
  before: string,
): Promise<Judged> {
  switch (result.kind) {
    case "none":
      return proved("done");
    case "loaded":
      return proved("the page loaded");
    case "unknown":
      return { verdict: "to_judge", detail: "done; the reviewer judges what follows the dash" };
    case "shows": {
      const shown = await expectOnPage(browser, result.words, limits);
      return shown.ok ? proved(`the page shows "${result.words}"`) : failed(shown);
    }
    case "lacks":
      return judgeAbsence(browser, result.words, limits);
    case "redirects":
      return judgeRedirect(browser, { before, to: result.to }, limits);
  }
}

async function judgeAbsence(
  browser: BrowserClient,
  words: string,
  limits: PageLimits,
): Promise<Judged> {
  const isGone = () => untilLooks(browser, limits.elementMs, (look) => !showsExpected(look, words));
  const first = await isGone();
  if (first.kind === "held") await clock.sleep(absenceMs);
  const seen =
    first.kind === "held"
      ? await untilLooks(browser, 0, (look) => !showsExpected(look, words))
      : first;
  return seen.kind === "held"
    ? proved(`the page does not show "${words}"`)
    : { verdict: "failed", detail: `the page still shows "${words}"` };
}

async function judgeRedirect(
  browser: BrowserClient,
  { before, to }: { before: string; to: string | undefined },
  { elementMs }: PageLimits,
): Promise<Judged> {
  let url = before;
  const seen = await untilLooks(browser, elementMs, (look) => {
    url = look.url;
    return url !== before && (to === undefined || url.toLowerCase().includes(to.toLowerCase()));
  });
  if (seen.kind === "held") return proved(`the address is ${url}`);
  const where = to === undefined ? "" : ` to ${to}`;
  return { verdict: "failed", detail: `no redirect${where}: the address is ${url}` };
}
