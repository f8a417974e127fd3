/** A page as it is looked at. `snapshot`: its accessibility tree, one element a line. */
export interface Page {
  url: string;
  title: string;
  text: string;
  snapshot: string;
}

/** Whether a page shows one of the alternatives between `|`: as text, or with all its words on one line of the snapshot. Linear. */
export function showsExpected(page: Page, expected: string): boolean {
  const lines = linesOf(page);
  return alternatives(expected).some((words) => {
    const finds = matcherOf(words);
    return lines.some(finds) || page.snapshot.split("\n").some((line) => holdsWords(line, words));
  });
}

/** Longest text that is searched with an expression. */
const maxLine = 2000;
const maxExpected = 200;

function linesOf({ url, title, text, snapshot }: Page): string[] {
  return [url, title, ...text.split("\n"), ...snapshot.split("\n")].map((line) =>
    line.slice(0, maxLine),
  );
}

/** Splits at `|` outside of parentheses. */
function alternatives(expected: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const char of expected.slice(0, maxExpected)) {
    if (char === "(") depth++;
    if (char === ")") depth--;
    if (char === "|" && depth <= 0) parts.push("");
    else parts.push(`${parts.pop() ?? ""}${char}`);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

function matcherOf(words: string): (line: string) => boolean {
  const expression = safeExpression(words);
  const literal = words.toLowerCase();
  return (line) => expression?.test(line) === true || line.toLowerCase().includes(literal);
}

/** Undefined for an expression that could take exponential time; such a text is searched as it is. */
function safeExpression(words: string): RegExp | undefined {
  const plain = words.replace(/\\[^1-9k]/gu, "x");
  const isRisky = /\\[1-9k]|\(\?(?!:)|\)[*+?{]/u.test(plain);
  const repeats = plain.match(/[*+]|\{\d*,\}/gu)?.length ?? 0;
  if (isRisky || repeats > 2) return undefined;
  try {
    return new RegExp(words, "iu");
  } catch {
    return undefined;
  }
}

/** `heading "Dashboard"` satisfies `Dashboard heading`. */
function holdsWords(line: string, words: string): boolean {
  if (!/^[\p{L}\p{N}\s"'`,._-]+$/u.test(words)) return false;
  const found = new Set(wordsOf(line));
  const asked = wordsOf(words);
  return (
    asked.length > 0 &&
    asked.every((word) => [word, ...(roles[word] ?? [])].some((each) => found.has(each)))
  );
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Everyday names of elements, and how the accessibility tree calls them. */
const roles: Readonly<Record<string, readonly string[]>> = {
  header: ["banner"],
  sidebar: ["complementary"],
  nav: ["navigation"],
  navigation: ["tablist"],
  footer: ["contentinfo"],
  form: ["textbox", "searchbox", "combobox", "checkbox", "spinbutton"],
  field: ["textbox", "searchbox", "combobox", "spinbutton"],
  input: ["textbox", "searchbox", "combobox", "spinbutton"],
  image: ["img"],
  dropdown: ["combobox", "listbox"],
  menu: ["menubar"],
  modal: ["dialog"],
  message: ["alert", "status"],
  error: ["alert"],
};
