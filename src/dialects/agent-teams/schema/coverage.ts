/** How test runners print the share of code that tests reach, most telling first (compatibility 5). */
const patterns = [
  /All files?\s*\|\s*(\d+(?:\.\d+)?)/,
  /Statements\s*:\s*(\d+(?:\.\d+)?)%/,
  /^TOTAL\s.*?(\d+(?:\.\d+)?)%\s*$/m,
  /coverage:\s*(\d+(?:\.\d+)?)%/,
  /\b(?:total|overall|all)\b[^\n%]{0,80}?(\d+(?:\.\d+)?)%/i,
];

/** The coverage a command has printed, in per cent; undefined where it tells none. */
export function coverageIn(output: string): number | undefined {
  const found = patterns.map((pattern) => pattern.exec(output)?.[1]).find((each) => each);
  return found === undefined ? undefined : Number(found);
}
