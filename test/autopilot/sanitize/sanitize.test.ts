import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sanitize } from "../../../src/autopilot/sanitize/sanitize.ts";
import { growthOf, linear } from "../../support/measures/growth.ts";

const canary = "CANARY";

const carriers: readonly string[] = [
  "<!-- CANARY -->",
  "<!--CANARY",
  "a <!-- > CANARY -->",
  "<!-- a\n\nCANARY\n-->",
  "> <!-- CANARY",
  "<![CDATA[ CANARY ]]>",
  "<!DOCTYPE CANARY>",
  "<?php CANARY ?>",
  '<img alt="CANARY">',
  "<img alt='CANARY' src=x>",
  "<img alt=CANARY>",
  '<img alt="a > CANARY" src="x">',
  '<a title="CANARY" href="x">text</a>',
  '<a href="https://example.org/CANARY">text</a>',
  '<span aria-label="CANARY">x</span>',
  '<p data-note="CANARY">x</p>',
  '<p\ndata-note="CANARY"\n>x</p>',
  '<custom-thing note="CANARY"/>',
  "<CANARY>",
  "</CANARY>",
  "<details><summary>more</summary>CANARY</details>",
  "<details>\n\nCANARY",
  "<script>CANARY</script>",
  "<style>CANARY</style>",
  "<template><b>CANARY</b></template>",
  "<title>CANARY</title>",
  "<span hidden>CANARY</span>",
  '<div style="display:none">CANARY</div>',
  '<div style="DISPLAY : NONE"><div>a</div>CANARY</div>',
  '<div style="visibility:hidden">CANARY</div>',
  '<div style="font-size:0px">CANARY</div>',
  '<div style="opacity:0">CANARY</div>',
  '<div style="color:#ffffff">CANARY</div>',
  "![CANARY](https://example.org/x.png)",
  '![a](x.png "CANARY")',
  "![a [b] CANARY](x.png)",
  "![CANARY][ref]",
  "![CANARY]",
  '[text](https://example.org "CANARY")',
  "[text](https://example.org/CANARY)",
  "[text](https://example.org 'CANARY')",
  "[text](https://example.org (CANARY))",
  '[text](x\n"CANARY")',
  '[a [b] c](x "CANARY")',
  '[![a](x "CANARY")](y "CANARY")',
  "[text][CANARY]",
  '[ref]: https://example.org "CANARY"',
  '[ref]: https://example.org\n  "CANARY"',
  "[ref]: https://example.org\n'CANARY'",
  "[//]: # (CANARY)",
  "> [//]: # (CANARY)",
  "- [//]: # (CANARY)",
  "1. [//]: # (CANARY)",
  "[a\nb]: CANARY",
  "[^1]: CANARY",
  "```js CANARY\ncode\n```",
  "~~~ CANARY\ncode\n~~~",
  "<https://example.org/CANARY>",
  "&lt;!-- CANARY --&gt;",
  "&amp;lt;!-- CANARY --&amp;gt;",
  "&#60;!-- CANARY --&#x3E;",
  "&amp;#38;lt;!-- CANARY -->",
  "!&lbrack;CANARY&rsqb;&lpar;x)",
  "<\u200b!-- CANARY -->",
  "!\u2060[CANARY](x)",
  '<im\u00adg alt="CANARY">',
  "```mermaid\ngraph TD\n%% CANARY\nA-->B\n```",
  "> ~~~ MERMAID\n> %% CANARY",
  "```math\n\\phantom{CANARY}\n```",
  "$\\phantom{{CANARY}}$",
  "$$a\n\\color{white}{CANARY}\n$$",
  "$x + \\textcolor{#fff}{CANARY}$ apples",
  "| a | b |\n| --- | --- |\n| 1 | 2 | CANARY |",
  "a | b\n:-- | --:\n1 | 2 | CANARY",
  "> | a |\n> |---|\n> | 1 \\| 2 | CANARY\n> | 3 |CANARY",
];

test.each(carriers)("nothing of %j reaches a prompt", (carrier) => {
  const text = sanitize(`Before it.\n\n${carrier}`).text;
  expect(text).not.toContain(canary);
  expect(text).toContain("Before it.");
  expect(sanitize(`${carrier}\n\nbetween\n\n${carrier}`).text).not.toContain(canary);
});

test.each([
  ["![x", "! [x"],
  ["[a](x", "[a] (x"],
  ['[a [b] c](x "title")', "[a [b] c]"],
  ["```js title\ncode\n```", "```\ncode\n```"],
])("of %j there stays %j", (source, text) => {
  expect(sanitize(source).text).toBe(text);
});

test("tag characters, zero-width characters and private characters are removed", () => {
  const tags = [...canary]
    .map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0)))
    .join("");
  const { text, hidden } = sanitize(`a${tags}b\u200bc\u2064d\ue000e\u3164f\ufe01g\u202eh`);
  expect({ text, hidden }).toEqual({ text: "abcdefgh", hidden: true });
});

test.each([
  ["a < b and c <= d"],
  ["1. Fix `npm test`\n2. [ ] not done\n- [x] done"],
  ["| a | b |\n| --- | --- |"],
  ["| a | b |\n| --- | --- |\n| 1 \\| 2 | 3 |\n| 4 |\n\na || b || c"],
  ["It costs $5 or $6, and $a^2 + b^2$ is `$HOME`"],
  ["a | b\n---|---\n1 | 2"],
  ["Zażółć – 🙂 naïve 👩‍💻".normalize("NFC").replace("\u200d", "")],
])("what people write stays: %j", (text) => {
  expect(sanitize(text)).toEqual({ text, hidden: false });
});

test("links keep their text, tags their content, and a quoted tag its name", () => {
  const { text } = sanitize(
    "See [the log](https://a.example/1), <b>now</b>: `<script>` is blocked.",
  );
  expect(text).toBe("See the log, now: `script` is blocked.");
});

test("no line changes its number", () => {
  const source = "one\r\n<!-- a\nb\n-->four\n![x\ny](z)\n[r]: u\n  'T'\n<p\ntitle='x'>nine";
  const lines = sanitize(source).text.split("\n");
  expect(lines).toHaveLength(source.split("\n").length);
  expect(lines[3]).toBe("four");
  expect(lines.at(-1)).toBe("nine");
});

const pieces = fc.constantFrom(
  ..."<>![]()\"'`:&;#/\n \t=-?abx1~",
  ...["<!--", "-->", "](", "]:", "![", "&lt;", "&amp;", "&#60;", "<b", "</b>", "<details>", "```"],
  ...["\u200b", "\u0338", "\u037e", "\u1fef", "\u0301", "lt;", "#", "&#35;", "<img alt=", "\r"],
);

describe("for any text", () => {
  test("a second pass changes nothing", () => {
    const texts = fc.oneof(
      fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join("")),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(texts, (source) => {
        const once = sanitize(source).text;
        expect(sanitize(once).text).toBe(once);
      }),
    );
  });
});

test.each([
  "<",
  "<a ",
  "<a '",
  "<a \"'",
  "<!--",
  "<!",
  "](",
  '](" ',
  "](\"'",
  "![",
  "![[a]",
  "[",
  "[a\n",
  "[a]: x\n  ",
  "&",
  "&amp;",
  "&#",
  "`",
  "<details>",
  "> ",
  "   ",
  "(",
  "[a](",
  "x",
])("any number of %j is sanitized in linear time", (piece) => {
  const read = (size: number) => sanitize(piece.repeat(Math.ceil(size / piece.length)));
  expect(growthOf(read, 2 ** 14)).toBeLessThan(linear);
});
