import { expect, test } from "vitest";
import { stableMessage, stableName } from "../../src/gates/stable-text.ts";

test.each([
  ["at 2026-01-25T14:30:52.123Z", "at <time>"],
  ["at 14:30:52", "at <time>"],
  ["object at 0x7f3a", "object at <address>"],
  ["id 123e4567-e89b-12d3-a456-426614174000", "id <id>"],
  ["in /tmp/pytest-3/x.txt: bad", "in <temp>: bad"],
  ["in /private/var/folders/zz/T/x, bad", "in <temp> bad"],
  ["two   spaces", "two spaces"],
  ["waits 5 s, then line 12", "waits 5 s, then line 12"],
])("the name %j becomes %j", (text, expected) => expect(stableName(text)).toBe(expected));

test.each([
  ["after 12.5ms", "after <duration>"],
  ["in src/a.ts:12:3", "in src/a.ts"],
  ["in src/a.ts(12,3)", "in src/a.ts"],
  ["on line 12", "on line"],
  ["at http://localhost:54321/x", "at http://localhost:<port>/x"],
  ["in file:///p/a.js", "in /p/a.js"],
  ["covers 71.4% of 80%", "covers <share> of <share>"],
  ["expected 3 to be 4", "expected 3 to be 4"],
])("the message %j becomes %j", (text, expected) => expect(stableMessage(text)).toBe(expected));
