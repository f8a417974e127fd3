import type { PictureRef } from "../../core/state/measurement.ts";
import type { SessionState } from "../../core/state/session-state.ts";
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
