import { expect, test } from "vitest";
import { createScrubber } from "../../src/scan/scrub.ts";

const env = { HOME: "/home/ada", DEPLOY_TOKEN: "hunter2-hunter2", LANG: "C.UTF-8" };
const scrub = createScrubber(env, { root: "/home/ada/work/app", state: "/home/ada/.local/state" });

test.each([
  ["deploy hunter2-hunter2 now", "deploy *** now"],
  ["ghp_abcdefghijklmnopqrstuvwxyz0123456789", "***"],
  ["https://ada:pw@example.org/x", "https://***@example.org/x"],
  ['curl -H "Authorization: Bearer abcdefgh1234"', 'curl -H "Authorization: Bearer ***"'],
  ["upload --token abc --dry-run", "upload --token *** --dry-run"],
  ["upload --api-key=abc", "upload --api-key=***"],
  ["DB_PASSWORD=abc npm test", "DB_PASSWORD=*** npm test"],
  ['{"client_secret": "a b"}', '{"client_secret": ***}'],
  ["/home/ada/work/app/src and /home/ada/.ssh", "<project>/src and ~/.ssh"],
])("%s becomes %s", (text, expected) => {
  expect(scrub(text)).toBe(expected);
});

test.each([
  "agents can read no known secret",
  "credentials: claude",
  "C.UTF-8",
  "basic configuration",
])("plain text stays: %s", (text) => {
  expect(scrub(text)).toBe(text);
});

test.each(["token", "a://", "--secret ", "authorization: ", "x-"])(
  "a megabyte of %j is read to its end",
  (piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    expect(scrub(`--token hunter2 ${text}`)).not.toContain("hunter2");
  },
);
