import { expect, test } from "vitest";
import { SessionId, SessionToken } from "../../../src/schema/base/fields.ts";
import { newSessionId, newToken } from "../../../src/session/loop/session-id.ts";
import { createTestSystem } from "../../support/project/system.ts";

test("an id is the time in UTC and random digits; its token extends it by 128 bits", async () => {
  await using system = await createTestSystem();
  const id = newSessionId(system);
  const token = newToken(id, system);
  expect(id).toBe("20260125-143052-ababab");
  expect(token).toBe(`ralph-20260125-143052-ababab${"ac".repeat(16)}`);
  expect(SessionId.parse(id)).toBe(id);
  expect(SessionToken.parse(token)).toBe(token);
});

test.each([
  ["an earlier one", "20260125-143051-ffffff", "20260125-143052-"],
  ["one of the same second", "20260125-143052-ffffff", "20260125-143053-"],
  ["one of a clock that was ahead", "20261231-235959-ffffff", "20270101-000000-"],
])("after %s an id sorts behind it", async (_, last, expected) => {
  await using system = await createTestSystem();
  const id = newSessionId(system, last);
  expect(id.startsWith(expected)).toBe(true);
  expect([id, last].sort()).toEqual([last, id]);
});
