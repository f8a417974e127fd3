import type { FactOf } from "../../core/state/event.ts";
import { plainLine } from "../../text/plain-text.ts";
import { type Html, html } from "./html.ts";
import { renderPicture } from "./pictures.ts";
import type { Pictures } from "./report-model.ts";

type SeenPage = FactOf<"page_seen">;

/** Pages before and after a task side by side; a page that looks the same is shown once. */
export function renderFrontEnd(pages: readonly SeenPage[], pictures: Pictures): Html | undefined {
  const after = pages.filter(({ when, picture }) => when === "after" && picture);
  if (after.length === 0) return undefined;
  const rows = after.map((page) => renderPage(page, { pages, pictures }));
  return html`<p>What a browser shows, as code of the project drew it:</p>${rows}`;
}

function renderPage(
  { page, picture: now }: SeenPage,
  { pages, pictures }: { pages: readonly SeenPage[]; pictures: Pictures },
): Html | undefined {
  if (!now) return undefined;
  const name = plainLine(page, 100);
  const before = pages.find((each) => each.when === "before" && each.page === page)?.picture;
  if (before?.sha256 === now.sha256) {
    const caption = `${name}, unchanged`;
    return html`<div class="pair">${renderPicture(now, { caption, pictures })}</div>`;
  }
  return html`<div class="pair">
    ${before && renderPicture(before, { caption: `${name}, before`, pictures })}
    ${renderPicture(now, { caption: before ? `${name}, after` : `${name}, after; before there was no page`, pictures })}
    </div>`;
}
