import { describe, expect, test } from "vitest";
import {
  type ErrorKind,
  errorKindOf,
  isOnlyLoginNotice,
  parseError,
  parseStartError,
} from "../../../src/agents/drivers/reported-error.ts";

test.each<[number | undefined, string, ErrorKind]>([
  [401, "", "login"],
  [402, "", "billing"],
  [403, "", "login"],
  [404, "", "model"],
  [408, "", "provider"],
  [429, "check your plan and billing details", "limit"],
  [500, "", "provider"],
  [529, "", "provider"],
  [400, "Credit balance is too low", "billing"],
  [400, "API key not valid. Please pass a valid API key.", "login"],
  [400, "Prompt is too long", "agent"],
  [undefined, "Missing environment variable: `OPENAI_API_KEY`.", "login"],
  [undefined, "Quota exceeded. Check your plan and billing details.", "billing"],
  [undefined, "Check your plan and billing details. Please retry in 20.5s.", "limit"],
  [
    undefined,
    "[API Error: slow down]\nPlease wait and try again later. To increase your limits, request a quota increase through AI Studio, or switch to another /auth method",
    "limit",
  ],
  [undefined, "You've hit your limit · resets 9pm (UTC)", "limit"],
  [undefined, "The model `gpt-nope` does not exist or you do not have access to it.", "model"],
  [undefined, "Unable to connect (ECONNREFUSED)", "provider"],
  [undefined, "Connection lost mid-response.", "provider"],
  [undefined, "[API Error: terminated]", "provider"],
  [undefined, "The safeguards flagged this message", "agent"],
  [undefined, "", "agent"],
])("status %s with %j is a kind of kind %s", (status, said, kind) => {
  expect(errorKindOf(status, said)).toBe(kind);
});

test.each([
  [
    "unexpected status 401 Unauthorized: no",
    { kind: "login", said: "unexpected status 401 Unauthorized: no" },
  ],
  ["last status: 429 Too Many Requests", { kind: "limit" }],
  ['[API Error: {"error":{"code":403,"message":"Not\\n you."}}]', { kind: "login" }],
  ['{"error":{"message":"a \\"b\\" c"}}', { kind: "agent", said: 'a \\"b\\" c' }],
  ["one\n two", { kind: "agent", said: "one two" }],
])("the error %j is read with its status", (message, expected) => {
  expect(parseError(message)).toMatchObject(expected);
});

describe("a start that failed", () => {
  test("shows the line that says why", () => {
    const text = "Warning: slow\nerror: unknown option '--tools'\n\nUsage: x";
    expect(parseStartError(text)).toEqual({
      kind: "unknown-option",
      said: "error: unknown option '--tools'",
    });
  });

  test("shows nothing else", () => {
    expect(parseStartError("something went wrong")).toBeUndefined();
  });
});

test.each([
  ["Invalid API key · Please run /login", true],
  ["Not logged in · Please run /login\n", true],
  ["I changed the text to: not logged in", false],
  ["Not logged in\nis now shown to guests.", false],
  ["", false],
])("%j is a call for a login: %s", (message, expected) => {
  expect(isOnlyLoginNotice(message)).toBe(expected);
});
