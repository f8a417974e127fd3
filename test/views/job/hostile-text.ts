import fc from "fast-check";

const pieces = [
  ..."`~@#[]()<>!|\\*_:;%,=&$\n\r\t -",
  "::error::x",
  "::add-mask::a",
  "::stop-commands::x",
  "::endgroup::",
  "##[error]x",
  "##[group]",
  "#\u034f#[add-mask]b",
  "\u0085::debug::",
  "\u2028::set-output name=a::b",
  "%0A::warning::",
  "@octo",
  "&#64;octo",
  "fixes #1",
  "<!--",
  "-->",
  "<img src=x>",
  "</details>",
  "![a](https://evil.example/x)",
  "[a](https://evil.example/x)",
  "https://evil.example",
  "_https://evil.example",
  "www.evil.example",
  "me@evil.example",
  "```",
  "~~~",
  "%%{init: {}}%%",
  "section x",
  "\u001b[31m",
  "\u202e",
  "\u200b",
  "\ud800",
  "word",
];

/** Text of somebody who knows our formats and means no good. */
export const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary", maxLength: 8 })), {
    maxLength: 25,
  })
  .map((parts) => parts.join(""));
