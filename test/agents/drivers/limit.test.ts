import { describe, expect, test } from "vitest";
import { isOnlyLimitNotice, limitOfEvent, limitOfText } from "../../../src/agents/drivers/limit.ts";

const now = Date.parse("2026-01-25T14:30:52Z");

/** Notices as programs print them, and the reset time that is read. */
const notices: [string, string | undefined][] = [
  ["You've hit your limit · resets 9pm (UTC)", "2026-01-25T21:00:00.000Z"],
  ["You\u2019ve hit your limit \u00b7 resets 4:50am (Europe/Rome)", "2026-01-26T03:50:00.000Z"],
  [
    "You've hit your session limit · resets 12:50am (America/Los_Angeles)",
    "2026-01-26T08:50:00.000Z",
  ],
  [
    "You've hit your weekly limit · resets Jan 30, 11:30am (Asia/Calcutta)",
    "2026-01-30T06:00:00.000Z",
  ],
  ["You've hit your limit · resets Jan 2, 9am (UTC)", undefined],
  ["You've hit your limit · resets 9pm", "2026-01-25T21:00:00.000Z"],
  ["You've hit your limit · resets 12pm (UTC)", "2026-01-26T12:00:00.000Z"],
  ["You've hit your limit · resets 12am (UTC)", "2026-01-26T00:00:00.000Z"],
  ["You've hit your limit · resets 2:25pm (UTC)", "2026-01-25T14:25:00.000Z"],
  ["You've hit your limit · resets 17:00 CET", "2026-01-25T16:00:00.000Z"],
  ["You've hit your limit · resets 9pm (Nowhere/City)", "2026-01-25T21:00:00.000Z"],
  ["5-hour limit reached ∙ resets 3pm", "2026-01-25T15:00:00.000Z"],
  ["Claude AI usage limit reached|1769364000", "2026-01-25T18:00:00.000Z"],
  ["Claude AI usage limit reached|1769364000000", "2026-01-25T18:00:00.000Z"],
  [
    "Claude usage limit reached. Your limit will reset at 1pm (Etc/GMT+5).",
    "2026-01-25T18:00:00.000Z",
  ],
  ["Limits will reset at 9:30 PM. View your usage details.", "2026-01-25T21:30:00.000Z"],
  ["Usage limit reached, resets at 2026-01-25T21:00:00Z", "2026-01-25T21:00:00.000Z"],
  ["Usage limit reached, resets at 2026-01-25T21:00:00+02:00", "2026-01-25T19:00:00.000Z"],
  ["Usage limit reached, resets at 2026-01-25 21:00 UTC", "2026-01-25T21:00:00.000Z"],
  [
    "You've hit your usage limit. Upgrade to Pro (https://example.com/pricing) or try again in 5 days 22 hours 11 minutes.",
    "2026-01-31T12:41:52.000Z",
  ],
  [
    "You've hit your usage limit, or try again at May 11th, 2026 1:36 PM.",
    "2026-05-11T13:36:00.000Z",
  ],
  ["Rate limit reached for requests. Please try again in 6.5s.", "2026-01-25T14:30:58.500Z"],
  ["rate limit exceeded, try again in 5 minutes", "2026-01-25T14:35:52.000Z"],
  ["Rate limited. Try again in 1m30s", "2026-01-25T14:32:22.000Z"],
  ["429 Too Many Requests\nRetry-After: 30", "2026-01-25T14:31:22.000Z"],
  ["Too many requests, retry after 2 hours", "2026-01-25T16:30:52.000Z"],
  ["API Error: Request rejected (429) · slow down", undefined],
  ["rate_limit_error", undefined],
  ["Your monthly quota has been exceeded", undefined],
  ["usage limit reached|99999999999999", undefined],
  ["usage limit reached, resets 27 times", undefined],
];

test.each(notices)("the notice %j resets at %s", (text, resetsAt) => {
  expect(limitOfText(text, now)).toEqual(resetsAt === undefined ? {} : { resetsAt });
});

test.each([
  "",
  "Segmentation fault",
  "Cannot find module './limit'",
  "The retry limit of the form is 3; try again in 5 minutes",
  "resets 9pm (UTC)",
])("%j is no notice", (text) => {
  expect(limitOfText(text, now)).toBeUndefined();
});

test("only the end of a long output is looked at", () => {
  const text = `usage limit reached|1769364000\n${"compiling\n".repeat(1000)}`;
  expect(limitOfText(text, now)).toBeUndefined();
});

test("a date without a year is the coming one", () => {
  const december = Date.parse("2026-12-31T10:00:00Z");
  expect(limitOfText("You've hit your limit · resets Jan 2, 9am (UTC)", december)).toEqual({
    resetsAt: "2027-01-02T09:00:00.000Z",
  });
});

test("a clock time is right on the day the clocks change", () => {
  const before = Date.parse("2026-03-28T22:00:00Z");
  expect(limitOfText("You've hit your limit · resets 9am (Europe/Rome)", before)).toEqual({
    resetsAt: "2026-03-29T07:00:00.000Z",
  });
});

describe("a message that is nothing but a notice", () => {
  test.each([
    "You've hit your limit · resets 9pm (UTC)",
    "\nClaude AI usage limit reached|1769364000\n",
    "API Error: Request rejected (429) · slow down",
    "5-hour limit reached ∙ resets 3pm\n/upgrade to increase your usage limit.",
  ])("is recognized: %j", (message) => {
    expect(isOnlyLimitNotice(message)).toBe(true);
  });

  test.each([
    "",
    'I added the message "You\'ve hit your limit" to the form.',
    'usage limit reached is handled now <task-done session="t">x</task-done>',
    `usage limit reached ${"and more ".repeat(50)}`,
    "Usage limit reached:\n- a\n- b\n- c",
  ])("is not recognized: %j", (message) => {
    expect(isOnlyLimitNotice(message)).toBe(false);
  });
});

const event = (info: unknown) => ({ type: "rate_limit_event", rate_limit_info: info });
test.each([
  [
    "rejected",
    event({ status: "rejected", resetsAt: 1769364000 }),
    { resetsAt: "2026-01-25T18:00:00.000Z" },
  ],
  ["rejected without a time", event({ status: "rejected" }), {}],
  ["rejected with nonsense", event({ status: "rejected", resetsAt: "soon" }), {}],
  ["allowed", event({ status: "allowed", resetsAt: 1769364000 }), undefined],
  ["a warning", event({ status: "allowed_warning", resetsAt: 1769364000 }), undefined],
  ["another event", { type: "result" }, undefined],
  ["no object", "rate_limit_event", undefined],
])("a limit event: %s", (_title, value, expected) => {
  expect(limitOfEvent(value)).toEqual(expected);
});
