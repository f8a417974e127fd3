import type { FactOf } from "../../core/state/event.ts";
import type { PictureRef } from "../../core/state/measurement.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { plainLine } from "../../text/plain-text.ts";
import { type Html, html } from "./html.ts";
import { isolate } from "./labels.ts";
import type { Pictures } from "./report-model.ts";

/** The pictures a report shows, the most important first: failed tests, then pages that a task has changed. */
export function shownPictures({ verification }: SessionState): PictureRef[] {
  const { tests = [], pages = [] } = verification ?? {};
  const failed = tests.filter(({ status }) => status === "failed");
  return [...failed, ...pages].flatMap(({ picture }) => picture ?? []);
}

/** A picture with its caption; the file's place where the report has no room for it. */
export function renderPicture(
  picture: PictureRef,
  { caption, pictures }: { caption: string; pictures: Pictures },
): Html {
  const bytes = pictures.get(picture.sha256);
  const type = picture.kind === "jpg" ? "jpeg" : "png";
  const shown = bytes
    ? html`<img alt="${caption}" src="data:image/${type};base64,${bytes.toString("base64")}">`
    : html`<p class="quiet">No room for this picture: evidence ${picture.sha256.slice(0, 12)}.</p>`;
  return html`<figure>${shown}<figcaption>${isolate(caption, 300)}</figcaption></figure>`;
}

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
