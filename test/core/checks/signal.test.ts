import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readSignal, readSubtaskSignals, signalNames } from "../../../src/core/checks/signal.ts";
import type { SignalReading } from "../../../src/core/state/roles.ts";

const token = "ralph-20260125-143052-a7b3c9f2d1e8";
const other = "ralph-20260125-143052-a7b3c9f2d1e9";

const valid = (name: string, body = "ok"): SignalReading => ({ kind: "valid", name, body });
const missing: SignalReading = { kind: "missing" };
const wrong = (name: string): SignalReading => ({ kind: "wrong-token", name });

const singleNames = [
  ["implementation", "task-done"],
  ["test_writing", "tests-done"],
  ["fix", "fix-done"],
] as const;

/** Text with N for the tag name and T for the token, and what is read from it. */
const shapes: [string, string, "missing" | "wrong" | { body: string }][] = [
  ["plain", '<N session="T">ok</N>', { body: "ok" }],
  ["after prose", 'All finished.\n<N session="T">ok</N>', { body: "ok" }],
  ["inside a line", 'Done: <N session="T">ok</N> bye', { body: "ok" }],
  ["empty body", '<N session="T"></N>', { body: "" }],
  ["several lines", '<N session="T">\n## Changes\n- a\n</N>', { body: "## Changes\n- a" }],
  ["CRLF", '<N session="T">\r\na\r\nb\r\n</N>\r\n', { body: "a\nb" }],
  ["in a code fence", '```xml\n<N session="T">ok</N>\n```', { body: "ok" }],
  ["quoted", '> <N session="T">ok</N>', { body: "ok" }],
  ["single quotes", "<N session='T'>ok</N>", { body: "ok" }],
  ["other attributes", '<N id="1" session="T" at="2">ok</N>', { body: "ok" }],
  ["attributes on lines", '<N\n  session="T"\n>ok</N>', { body: "ok" }],
  ["space in the closing tag", '<N session="T">ok</N >', { body: "ok" }],
  ["upper-case attribute", '<N Session="T">ok</N>', { body: "ok" }],
  ["two closing tags", '<N session="T">ok</N> tail </N>', { body: "ok" }],
  ["other markup in the body", '<N session="T">a <b>c</b></N>', { body: "a <b>c</b>" }],
  ["a wrong one first", '<N session="X">no</N>\n<N session="T">ok</N>', { body: "ok" }],
  ["a wrong one last", '<N session="T">ok</N>\n<N session="X">no</N>', { body: "ok" }],
  ["a wrong one unclosed before", '<N session="X"> <N session="T">ok</N>', { body: "ok" }],
  ["two valid: the last", '<N session="T">one</N><N session="T">ok</N>', { body: "ok" }],
  ["valid opened twice", '<N session="T">one <N session="T">ok</N>', { body: "ok" }],
  ["an unclosed one after", '<N session="T">ok</N><N session="T">', { body: "ok" }],
  ["comparison signs around", 'if a < b && c > d <N session="T">ok</N>', { body: "ok" }],
  ["control characters", '<N session="T">o\u0000k\u001b[31m\u009b</N>', { body: "ok[31m" }],
  ["a lone surrogate", '<N session="T">\ud800</N>', { body: "\ufffd" }],
  ["the token in the body", '<N session="T">I am T</N>', { body: "I am ***" }],
  ["the closing tag in code", '<N session="T">ok `</N>` more</N>', { body: "ok `" }],
  ["wrong token", '<N session="X">ok</N>', "wrong"],
  ["placeholder", '<N session="TOKEN">ok</N>', "wrong"],
  ["no token", "<N>ok</N>", "wrong"],
  ["empty token", '<N session="">ok</N>', "wrong"],
  ["token prefix", '<N session="ralph-20260125-143052">ok</N>', "wrong"],
  ["token and more", '<N session="T0">ok</N>', "wrong"],
  ["token in upper case", '<N session="RALPH-20260125-143052-A7B3C9F2D1E8">ok</N>', "wrong"],
  ["token with spaces", '<N session=" T ">ok</N>', "wrong"],
  ["token over two lines", '<N session="\nT\n">ok</N>', "wrong"],
  ["token in another attribute", '<N token="T">ok</N>', "wrong"],
  ["token as the body", "<N>T</N>", "wrong"],
  ["empty message", "", "missing"],
  ["no tag", "I am done, T", "missing"],
  ["unclosed", '<N session="T">ok', "missing"],
  ["closed by another", '<N session="T">ok</done>', "missing"],
  ["closing tag only", "ok</N>", "missing"],
  ["closing before opening", '</N>ok<N session="T">', "missing"],
  ["self-closing", '<N session="T"/>', "missing"],
  ["no quotes", "<N session=T>ok</N>", "missing"],
  ["typographic quotes", "<N session=\u201cT\u201d>ok</N>", "missing"],
  ["mixed quotes", "<N session=\"T'>ok</N>", "missing"],
  ["the attribute twice", '<N session="X" session="T">ok</N>', "missing"],
  ["glued to the name", '<Nsession="T">ok</N>', "missing"],
  ["a longer name", '<N-x session="T">ok</N-x>', "missing"],
  ["a shorter closing name", '<N session="T">ok</Nx>', "missing"],
  ["a space before the name", '< N session="T">ok</ N>', "missing"],
  ["a bracket in the tag", '<N <b session="T">ok</N>', "missing"],
  ["entities", '&lt;N session="T"&gt;ok&lt;/N&gt;', "missing"],
  ["full-width brackets", '\uff1cN session="T"\uff1eok\uff1c/N\uff1e', "missing"],
  ["a huge tag", `<N ${" ".repeat(600)}session="T">ok</N>`, "missing"],
  ["text after the attribute", '<N session="T" yes>ok</N>', "missing"],
];

describe.each(singleNames)("the final message of %s", (role, name) => {
  const write = (text: string) =>
    text
      .replaceAll("N", name)
      .replaceAll("X", other)
      .replaceAll(/T(?!OKEN)/g, token);

  test.each(shapes)("%s", (_title, text, expected) => {
    const reading = readSignal(write(text), { role, token });
    if (expected === "missing") expect(reading).toEqual(missing);
    else if (expected === "wrong") expect(reading).toEqual(wrong(name));
    else expect(reading).toEqual(valid(name, expected.body));
  });

  test("is read whatever the case of the tag", () => {
    const text = `<${name.toUpperCase()} session="${token}">ok</${name.toUpperCase()}>`;
    expect(readSignal(text, { role, token })).toEqual(valid(name));
  });

  test.each(
    Object.values(signalNames)
      .flat()
      .filter((foreign) => !signalNames[role].includes(foreign)),
  )("is not completed by <%s>", (foreign) => {
    const text = `<${foreign} session="${token}">ok</${foreign}>`;
    expect(readSignal(text, { role, token })).toEqual(missing);
  });
});

const approved = (t = token) => `<review-approved session="${t}">ok</review-approved>`;
const rejected = (t = token) => `<review-rejected session="${t}">bad</review-rejected>`;
const contradiction: SignalReading = { kind: "contradiction" };

test.each([
  ["approval", approved(), valid("review-approved")],
  ["rejection", rejected(), valid("review-rejected", "bad")],
  ["both", `${approved()} ${rejected()}`, contradiction],
  ["both, rejection first", `${rejected()} ${approved()}`, contradiction],
  ["one inside the other", approved().replace("ok", rejected()), contradiction],
  ["approval with a wrong token", approved(other), wrong("review-approved")],
  ["rejection with a wrong token", rejected(other), wrong("review-rejected")],
  [
    "valid rejection, foreign approval",
    approved(other) + rejected(),
    valid("review-rejected", "bad"),
  ],
  ["valid approval, foreign rejection", approved() + rejected(other), wrong("review-rejected")],
  ["foreign rejection, valid approval", rejected(other) + approved(), valid("review-approved")],
  ["an approval in a code fence", `\`\`\`\n${approved()}\n\`\`\`\n`, valid("review-approved")],
  ["a quoted approval", `The file says ${approved()}, but I reject it.`, missing],
  ["an approval that is taken back", `${approved()}\nOn reflection: no.`, missing],
  [
    "a rejection with a remark",
    `${rejected()}\nPlease repair it.`,
    valid("review-rejected", "bad"),
  ],
  ["both with wrong tokens", approved(other) + rejected(other), wrong("review-approved")],
  [
    "opened as one, closed as the other",
    `<review-approved session="${token}">x</review-rejected>`,
    missing,
  ],
  ["nothing", "looks good to me", missing],
])("a review with %s", (_title, text, expected) => {
  expect(readSignal(text, { role: "review", token })).toEqual(expected);
});

test("a long body is cut, and no part of the token is left at the cut", () => {
  const body = `${"x".repeat(8 * 1024 - 10)}${token}`;
  const reading = readSignal(`<task-done session="${token}">${body}</task-done>`, {
    role: "implementation",
    token,
  });
  expect(reading).toMatchObject({ kind: "valid" });
  if (reading.kind !== "valid") return;
  expect(reading.body.length).toBeLessThanOrEqual(8 * 1024);
  expect(reading.body).not.toContain("ralph-");
});

test("an empty session token makes nothing valid", () => {
  const text = '<task-done session="">ok</task-done>';
  expect(readSignal(text, { role: "implementation", token: "" })).toEqual(wrong("task-done"));
});

describe("subtask signals", () => {
  const done = (id: string, t = token) => `<subtask-complete id="${id}" session="${t}">`;
  test.each([
    ["one, closed", `${done("T-001.1")}</subtask-complete>`, ["T-001.1"]],
    ["one, not closed", done("T-001.1"), ["T-001.1"]],
    ["self-closing", `<subtask-complete id="T-001.1" session="${token}" />`, ["T-001.1"]],
    ["session first", `<subtask-complete session="${token}" id="T-001.1">`, ["T-001.1"]],
    [
      "two and a repetition",
      done("T-001.2") + done("T-001.1") + done("T-001.2"),
      ["T-001.2", "T-001.1"],
    ],
    ["upper case", done("T-001.1").replace("subtask-complete", "SUBTASK-COMPLETE"), ["T-001.1"]],
    ["a wrong token", done("T-001.1", other), []],
    ["one wrong, one right", done("T-001.1", other) + done("T-001.2"), ["T-001.2"]],
    ["no id", `<subtask-complete session="${token}">`, []],
    ["a path as id", done("../../etc"), []],
    ["a task id", done("T-001"), []],
    ["nothing", "all subtasks are done", []],
  ])("%s", (_title, text, expected) => {
    expect(readSubtaskSignals(text, token)).toEqual(expected);
  });

  test("hostile numbers of them stay bounded", () => {
    const many = Array.from({ length: 1000 }, (_, i) => done(`T-001.${i}`)).join("");
    expect(readSubtaskSignals(many, token)).toHaveLength(200);
  });
});

const fragments = fc.constantFrom(
  "<",
  ">",
  "</task-done>",
  "<task-done ",
  "<task-done>",
  'session="',
  `session="${other}"`,
  'session="TOKEN"',
  token.slice(0, -1),
  `${token}0`,
  '"',
  "'",
  "\n",
  " ",
  "TASK-DONE",
);
const noise = fc.oneof(fragments, fc.string({ unit: "binary" }));
const texts = fc.array(noise, { maxLength: 40 }).map((parts) => parts.join(""));

test("no text without the whole token is ever valid", () => {
  fc.assert(
    fc.property(texts, (text) => {
      fc.pre(!text.includes(token));
      expect(readSignal(text, { role: "implementation", token }).kind).not.toBe("valid");
    }),
  );
});

test("a claim with the right token is valid whatever precedes it", () => {
  const claim = `<task-done session="${token}">ok</task-done>`;
  fc.assert(
    fc.property(texts, (text) => {
      expect(readSignal(`${text}>${claim}`, { role: "implementation", token }).kind).toBe("valid");
    }),
  );
});

describe("hostile text", () => {
  const size = 5_000_000;
  test.each([
    "<",
    "<t",
    "<task-done ",
    "<task-done session=",
    '<task-done session="x">',
    `<task-done session="${other}">`,
    `<task-done session="${token}">`,
    `<task-done session="${token}"></task-done>`,
    "</task-done>",
    "<task-done\n\n\n\n\n",
    "\u0130<",
  ])(
    "of %j again and again is read to its end, which a quadratic scan would not live to see",
    (piece) => {
      const text = piece.repeat(size / piece.length);
      const reading = readSignal(text, { role: "implementation", token });
      expect(reading.kind === "valid").toBe(
        piece.includes("</task-done>") && piece.includes(token),
      );
    },
  );
});
