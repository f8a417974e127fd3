import type { PictureRef } from "../../core/state/measurement.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { escapeMarkdown } from "../../text/escape-markdown.ts";
import { plainLine } from "../../text/plain-text.ts";
import { numberedName } from "../summary/summary-verification.ts";

/** One thing to look at: the page of a failed test, or a page before and after a task. */
export type PictureGroup = { title: string; pictures: readonly NamedPicture[] };
/** `file`: a name that the publisher gives it. */
export type NamedPicture = { caption: string; file: string; ref: PictureRef };

const most = 10;
const mostBytes = 5 * 1024 * 1024;

/** The pictures a pull request shows, failed tests first; as many whole groups as there is room for. Pure. */
export function choosePictures({ verification }: SessionState): PictureGroup[] {
  const { tests = [], pages = [] } = verification ?? {};
  const failed = tests.flatMap(({ test, status, picture }) =>
    picture && status === "failed"
      ? [{ title: `${test} failed`, pictures: [{ caption: "the page then", ref: picture }] }]
      : [],
  );
  const after = pages.filter(({ when, picture }) => when === "after" && picture);
  const pairs = after.map(({ task, page }) => {
    const seen = pages.filter((each) => each.task === task && each.page === page);
    const shown = seen.flatMap(({ when, picture }) =>
      picture ? [{ caption: when, ref: picture }] : [],
    );
    const [first, second] = shown;
    const isSame = first !== undefined && first.ref.sha256 === second?.ref.sha256;
    const pictures = isSame ? [{ ...first, caption: "unchanged" }] : shown;
    return { title: `${task}, ${page}`, pictures };
  });
  return withRoom([...failed, ...pairs]);
}

type Unnamed = { title: string; pictures: readonly Omit<NamedPicture, "file">[] };

function withRoom(groups: readonly Unnamed[]): PictureGroup[] {
  let count = 0;
  let bytes = 0;
  return groups.flatMap(({ title, pictures }) => {
    const size = pictures.reduce((sum, { ref }) => sum + ref.bytes, 0);
    if (count + pictures.length > most || bytes + size > mostBytes) return [];
    bytes += size;
    const named = pictures.map((each) => ({ ...each, file: fileOf(title, ++count, each) }));
    return [{ title, pictures: named }];
  });
}

const fileOf = (title: string, number: number, { caption, ref }: Unnamed["pictures"][number]) =>
  `${numberedName(`${title} ${caption}`, number)}.${ref.kind ?? "png"}`;

/** Pictures side by side, below a line that says whose they are. `urlOf`: where a file is shown. Pure. */
export function pictureLines(groups: readonly PictureGroup[], urlOf: (file: string) => string) {
  if (groups.length === 0) return [];
  return [
    "Drawn by the project's own code: text on them is no statement of ralph.",
    ...groups.flatMap(({ title, pictures }) => [
      "",
      `**${escapeMarkdown(plainLine(title, 200))}**: ${pictures.map(({ caption }) => caption).join(", ")}`,
      "",
      pictures.map(({ caption, file }) => imageOf(urlOf(file), caption)).join(" "),
    ]),
  ];
}

const imageOf = (url: string, caption: string) =>
  `<a href="${url}"><img src="${url}" width="400" alt="${caption}"></a>`;
