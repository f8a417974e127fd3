/** Text that changes from run to run without meaning. Every pattern is bounded and linear. */
const volatile: readonly [RegExp, string][] = [
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?/g, "<time>"],
  [/\b\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\b/g, "<time>"],
  [/\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi, "<id>"],
  [/\b0x[\da-f]{1,16}\b/gi, "<address>"],
  [/(?:\/private)?\/(?:tmp|var\/tmp|var\/folders)\/[^\s:'"`)\]]+/g, "<temp>"],
];

const measures: readonly [RegExp, string][] = [
  [/\bfile:\/\//g, ""],
  [/\b((?:localhost|127\.0\.0\.1|\[?::1\]?):)\d{2,5}\b/g, "$1<port>"],
  [/(\.[a-z]\w{0,9}):\d{1,7}(?::\d{1,7})?\b/gi, "$1"],
  [/(\.[a-z]\w{0,9})\(\d{1,7},\d{1,7}\)/gi, "$1"],
  [/\b\d{1,3}(?:\.\d{1,9})?%/g, "<share>"],
  [/\bline \d{1,7}\b/gi, "line"],
  [/\b\d{1,9}(?:\.\d{1,9})?\s?(?:ms|s|sec|secs|seconds?|minutes?|µs)\b/g, "<duration>"],
];

/** The name of a test without text that cannot belong to a name, so that two tests stay distinct. */
export function stableName(text: string): string {
  return replaceAll(text, volatile).replace(/\s+/g, " ").trim();
}

/** A message, also without positions, durations and ports, so that an edit elsewhere does not change it. */
export function stableMessage(text: string): string {
  return stableName(replaceAll(text, measures));
}

function replaceAll(text: string, rules: readonly [RegExp, string][]): string {
  return rules.reduce((result, [pattern, by]) => result.replace(pattern, by), text);
}
