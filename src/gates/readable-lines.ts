import { stripVTControlCharacters } from "node:util";

/** A program's output as safe lines: no terminal sequences, control or invisible characters, or lines like a signal tag (T11, T48). */
export function readableLines(output: string): string[] {
  return stripVTControlCharacters(output)
    .toWellFormed()
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/u)
    .map((line) => line.replace(/(?!\t)[\p{Cc}\p{Cf}\p{Co}]/gu, "").trimEnd())
    .filter((line) => !signalTag.test(line));
}

type Places = { root: string; env: Readonly<Record<string, string | undefined>> };

/** Names files below the project root, or below `~`: a folder of this machine says nothing to readers elsewhere. */
export function withoutPlaces(output: string, { root, env: { HOME: home = "" } }: Places): string {
  const below = withoutRoot(output, root);
  return /^\/./.test(home) ? below.replaceAll(`${home}/`, "~/") : below;
}

function withoutRoot(output: string, root: string): string {
  const literal = root.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const alone = new RegExp(`${literal}(?!\\.?[\\w-])`, "g");
  return output.replaceAll(`${root}/`, "").replace(alone, ".");
}

const signalTag =
  /<\/?\s*(?:task-done|tests-done|fix-done|review-approved|review-rejected|subtask-complete|promote-subtask|(?:ui|robot)-[a-z-]+)\b/iu;
