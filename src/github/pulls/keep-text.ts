import { maxBodyBytes } from "../../views/pull-request/pull-body.ts";
import { parsePullMarker, renderPullMarker } from "../../views/pull-request/pull-marker.ts";

/** The first line of every text that ralph writes, unless the project has a template. */
const outcomeLine = /^\*\*\d+ of \d+ tasks? passed\*\* in /;

/**
 * The new text of an open pull request. The same run replaces its own text and keeps what people wrote above and below it;
 * another run keeps the whole text with its marker, and adds or replaces a section of its own at the end. Pure.
 */
export function keepText(old: string, rendered: string): string {
  const before = old.replaceAll("\r\n", "\n");
  const [known, own] = [parsePullMarker(before), parsePullMarker(rendered)];
  if (!known || !own) return rendered;
  if (known.run !== own.run) return withSection(before, rendered, own.run);
  const lines = before.split("\n");
  const end = lines.indexOf(renderPullMarker(known));
  const first = rendered.split("\n", 1)[0] ?? "";
  const start = lines.findIndex((line) => line === first || outcomeLine.test(line));
  const head = start > 0 && start < end ? `${lines.slice(0, start).join("\n")}\n` : "";
  const tail = lines.slice(end + 1).join("\n");
  return fitting(`${head}${rendered.trimEnd()}\n${tail}`, rendered);
}

function withSection(before: string, rendered: string, run: string): string {
  const [begin, end] = [`<!-- ralph:session:${run} -->`, `<!-- /ralph:session:${run} -->`];
  const text = rendered
    .split("\n")
    .filter((line) => parsePullMarker(line) === undefined)
    .join("\n");
  const start = before.indexOf(begin);
  const stop = before.indexOf(end, start);
  const head = start < 0 ? before.trimEnd() : before.slice(0, start).trimEnd();
  const tail = start < 0 || stop < 0 ? "" : before.slice(stop + end.length);
  const section = (content: string) => `${head}\n\n${begin}\n${content.trim()}\n${end}${tail}\n`;
  const [outcome = ""] = text.split("\n").filter((line) => outcomeLine.test(line));
  return fitting(section(`## A further session\n\n${text}`), section(outcome));
}

const fitting = (text: string, shorter: string) =>
  Buffer.byteLength(text) <= maxBodyBytes ? text : shorter;
