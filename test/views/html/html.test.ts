import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeHtml, html, markupOf, ownMarkup } from "../../../src/views/html/html.ts";
import { hostileText } from "../job/hostile-text.ts";

test.each([
  ["plain text, 12 %", "plain text, 12 %"],
  ["</style><script>", "&#60;/style&#62;&#60;script&#62;"],
  [`" onload='x' \``, "&#34; onload=&#39;x&#39; &#96;"],
  ["&amp; &#64;", "&#38;amp; &#38;#64;"],
  ["a\u202eb\u200bc\u0000d\u001b[31me", "abcde"],
  ["one\r\ntwo\u2028three", "one\ntwo\nthree"],
  ["\ud800", "\ufffd"],
])("%j is shown as it is", (text, escaped) => {
  expect(escapeHtml(text)).toBe(escaped);
});

test("no text can open a tag or leave an attribute", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      expect(escapeHtml(text)).not.toMatch(/[<>"'`]|&(?!#\d+;)/);
    }),
  );
});

test("pieces are taken as they are, nothing is nothing, lists are put together", () => {
  const piece = html`<b title="${'"'}">${"<"}</b>`;
  const page = html`
    <p>${piece}${[1, "&", html`<br>`]}${null}${undefined}${false}${true}</p>
    <p>end</p>`;
  expect(markupOf(page)).toBe('<p><b title="&#34;">&#60;</b>1&#38;<br></p><p>end</p>');
});

test("an attribute without quotes is a programming error", () => {
  expect(() => html`<p class=${"a"}></p>`).toThrow("An attribute needs quotes.");
});

test("a value that was read as JSON is not markup", () => {
  const read = JSON.parse(JSON.stringify(ownMarkup("<b>")));
  expect(markupOf(read)).toBeUndefined();
});
