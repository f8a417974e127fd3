import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseBrowserCriterion } from "../../../src/core/verify/browser-criterion.ts";
import { chooseElement } from "../../../src/core/verify/choose-element.ts";
import { showsExpected } from "../../../src/core/verify/page-words.ts";
import { parseUiActions } from "../../../src/schema/config/ui-action.ts";

const page = {
  url: "http://localhost:5173/users",
  title: "Users",
  text: "Users\nAnn\nSave",
  snapshot: [
    "- banner:",
    "  - navigation:",
    '    - tab "Dashboard"',
    '    - button "Dashboard"',
    '- heading "Users of a team" [level=1]',
    "- listitem: Ann",
    '- textbox "Name"',
    '- button "Save"',
    '- button "Save all"',
    '- button "Delete"',
    '- button "Delete"',
    "- 'link \"a: b\"'",
  ].join("\n"),
};

describe("what a page is expected to show", () => {
  test.each([
    ["navigation|header|sidebar", true],
    ["sidebar|footer", false],
    ["Users heading", true],
    ["heading users team", true],
    ["Save all", true],
    ["us[eo]rs", true],
    ["(login|users)", true],
    ["(login|sign up)", false],
    ["(a+)+$", false],
    ["Ann (", false],
    ["/users", true],
    ["form", true],
    ["Delete everything", false],
    ["", false],
  ])("%s: %s", (expected, holds) => expect(showsExpected(page, expected)).toBe(holds));

  test("takes no time with any expectation", () => {
    const text = "a".repeat(64 * 1024);
    const hostile = fc.string({
      unit: fc.constantFrom(
        "a",
        "(",
        ")",
        "+",
        "*",
        "|",
        "\\",
        "1",
        "[",
        "]",
        "{",
        "}",
        ",",
        "?",
        "$",
      ),
    });
    fc.assert(
      fc.property(hostile, (expected) => {
        expect(typeof showsExpected({ ...page, text }, expected)).toBe("boolean");
      }),
    );
  });
});

describe("the element that an action names", () => {
  test.each([
    ["click", "Save", { kind: "found", element: { role: "button", name: "Save", nth: 0 } }],
    ["click", "save ALL", { kind: "found", element: { role: "button", name: "Save all", nth: 0 } }],
    [
      "click",
      "Dashboard",
      { kind: "found", element: { role: "button", name: "Dashboard", nth: 0 } },
    ],
    [
      "click_tab",
      "Dashboard",
      { kind: "found", element: { role: "tab", name: "Dashboard", nth: 0 } },
    ],
    ["click", "Ann", { kind: "found", element: { role: "listitem", name: "Ann", nth: 0 } }],
    ["click", "a: b", { kind: "found", element: { role: "link", name: "a: b", nth: 0 } }],
    ["fill", "name", { kind: "found", element: { role: "textbox", name: "Name", nth: 0 } }],
    ["click", "Delete", { kind: "several", names: ['button "Delete"', 'button "Delete"'] }],
    ["fill", "Save", { kind: "missing" }],
    ["click", "Dashbord", { kind: "missing" }],
  ] as const)("%s %s", (verb, name, choice) => {
    expect(chooseElement(page.snapshot, verb, name)).toMatchObject(choice);
  });

  test("is never undefined for any page and name", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (snapshot, name) => {
        expect(chooseElement(snapshot, "click", name).kind).toMatch(/found|missing|several/);
      }),
    );
  });
});

describe("actions", () => {
  test.each([
    ["open", [{ verb: "open", path: "/" }]],
    ["open /login?a=b", [{ verb: "open", path: "/login?a=b" }]],
    ["open `/login`", [{ verb: "open", path: "/login" }]],
    ['click_tab("Dash;board")', [{ verb: "click_tab", name: "Dash;board" }]],
    ["click `Save`", [{ verb: "click", name: "Save" }]],
    ["click Save all", [{ verb: "click", name: "Save all" }]],
    ['fill("Name", "A \\"B\\"")', [{ verb: "fill", name: "Name", text: 'A "B"' }]],
    ['fill "Name" with "Ann"', [{ verb: "fill", name: "Name", text: "Ann" }]],
    [
      "open; wait(200)",
      [
        { verb: "open", path: "/" },
        { verb: "wait", ms: 200 },
      ],
    ],
  ])("%s", (text, actions) => expect(parseUiActions(text)).toEqual({ kind: "actions", actions }));

  test.each([
    ["", "names no action"],
    ["dance", 'has no verb "dance"; the verbs are open, click'],
    ["wait(99999)", "write wait(500), at most 10000"],
    ['fill("Name")', 'write fill("Name", "Ann")'],
    ["open https://evil.example/", "write open or open /path"],
    ["open //evil.example/", "write open or open /path"],
    ["click()", 'write click("Save")'],
  ])("%s is refused", (text, message) => {
    expect(parseUiActions(text)).toEqual({
      kind: "problem",
      message: expect.stringContaining(message),
    });
  });
});

describe("browser criteria", () => {
  const act = (actions: object[], result: object) => ({ kind: "act", actions, result });
  const open = { verb: "open", path: "/login" };
  const submit = { verb: "click", name: "Submit" };
  test.each([
    ["open `/login` - form renders", act([open], { kind: "shows", words: "form" })],
    ["open /login", act([open], { kind: "none" })],
    ["open /login - page loads", act([open], { kind: "loaded" })],
    ['click "Submit" - redirects', act([submit], { kind: "redirects" })],
    ['click "Submit" - redirects to `/home`', act([submit], { kind: "redirects", to: "/home" })],
    ['click "Submit" \u2014 shows "Saved"', act([submit], { kind: "shows", words: "Saved" })],
    ['click "Submit" - "Saved" is shown', act([submit], { kind: "shows", words: "Saved" })],
    ['click "Submit" - no error appears', act([submit], { kind: "lacks", words: "error" })],
    [
      'click "Submit" - the dialog disappears',
      act([submit], { kind: "lacks", words: "the dialog" }),
    ],
    ['click "Submit" - it feels quick', act([submit], { kind: "unknown" })],
    ["console shows no errors", { kind: "console" }],
    ["is pleasant", { kind: "unreadable" }],
  ])("%s", (words, reading) => expect(parseBrowserCriterion(words)).toEqual(reading));
});
