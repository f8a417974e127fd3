import { plainText } from "../../text/plain-text.ts";

/** The runner commands that ralph uses. Everything else in a log is text. */
type CommandName = "error" | "warning" | "notice" | "group" | "endgroup" | "stop-commands";

/** One line that a CI runner executes, escaped by its rules so that it stays one command. */
export function workflowCommand(
  name: CommandName,
  data = "",
  properties: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const pairs = Object.entries(properties).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${escapeProperty(unmarked(String(value)))}`],
  );
  const head = [name, pairs.join(",")].filter(Boolean).join(" ");
  return `::${head}::${escapeData(unmarked(plainText(data)))}`;
}

const escapeData = (text: string) =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const escapeProperty = (text: string) =>
  escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/**
 * A line of text that no runner executes (T53): it is one line, holds no `##[` and does not begin with `::`. A runner
 * ignores invisible characters in comparisons, so they are removed first.
 */
export function logText(line: string): string {
  const single = unmarked(line.replace(/[\n\v\f\r\u0085\u2028\u2029]+/g, " "));
  return /^[\s\u0085]*::/.test(single) ? `· ${single}` : single;
}

const unmarked = (text: string) =>
  text.replace(/\p{Default_Ignorable_Code_Point}/gu, "").replaceAll("##[", "## [");
