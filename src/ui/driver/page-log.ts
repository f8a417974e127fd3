import type { Page } from "playwright-core";
import type { ConsoleEntry } from "./protocol.ts";

/** Console lines, page errors and refused attempts of one page; a flood is counted, not kept. */
export interface PageLog {
  entries: () => ConsoleEntry[];
  total: () => number;
}

const maxEntries = 200;
const maxText = 500;

/** Listens to a page. Dialogs are dismissed, downloads and new windows refused, and each is noted. */
export function watchPage(page: Page): PageLog {
  const kept: ConsoleEntry[] = [];
  let total = 0;
  const note = (type: ConsoleEntry["type"], text: () => string) => {
    total++;
    if (kept.length < maxEntries) kept.push({ type, text: text().slice(0, maxText) });
  };
  page.on("console", (message) => {
    if (isFavicon(message.location().url)) return;
    note(levelOf(message.type()), () => message.text());
  });
  page.on("pageerror", (error) => note("error", () => `${error.name}: ${error.message}`));
  page.on("crash", () => note("error", () => "the tab crashed"));
  page.on("dialog", (dialog) => {
    note("refused", () => `${dialog.type()}: ${dialog.message()}`);
    dialog.dismiss().catch(ignore);
  });
  page.on("download", (download) => {
    note("refused", () => `download of ${download.suggestedFilename()}`);
    download.cancel().catch(ignore);
  });
  page.on("popup", (popup) => {
    note("refused", () => `new window ${popup.url()}`);
    popup.close().catch(ignore);
  });
  const rank = ({ type }: ConsoleEntry) => (type === "error" ? 0 : 1);
  return {
    entries: () => kept.toSorted((one, other) => rank(one) - rank(other)),
    total: () => total,
  };
}

/** A closed page cannot be closed again. */
const ignore = () => undefined;

const isFavicon = (url: string) => /\/favicon\.ico$/.test(url);

const levelOf = (type: string): ConsoleEntry["type"] => {
  if (type === "error" || type === "assert") return "error";
  return type === "warning" ? "warning" : "log";
};
