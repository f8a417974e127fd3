import { describe, expect, test } from "vitest";
import { RalphError } from "../../../src/error.ts";
import { createOnce, sendAgain } from "../../../src/github/api/create-once.ts";
import { createTestClock } from "../../support/project/system.ts";

/** An error as the client throws it for that status; 500 without an answer is a broken connection. */
const failure = (status: number) =>
  new RalphError("pr", {
    message: "No.",
    remedy: "Try.",
    cause: Object.assign(new Error("no"), { status }),
  });

function creation(status: number, foundAt: number) {
  const calls = { created: 0, looked: 0 };
  return {
    calls,
    create: async () => {
      calls.created += 1;
      throw failure(status);
    },
    find: async () => (++calls.looked >= foundAt ? "made" : undefined),
  };
}

describe("an object that is created", () => {
  test.each([
    [502, 1, "made", 1],
    [500, 4, "made", 4],
    [408, 2, "made", 2],
    [502, 9, "failed", 4],
    [422, 1, "failed", 0],
    [401, 1, "failed", 0],
    [429, 1, "failed", 0],
  ])("after %i, found by look %i: %s, sent once", async (status, foundAt, end, looks) => {
    const clock = createTestClock();
    const given = creation(status, foundAt);
    const result = await createOnce(clock, given).catch(() => "failed");
    expect([result, given.calls]).toEqual([end, { created: 1, looked: looks }]);
  });

  test("is searched for 15 seconds", async () => {
    const clock = createTestClock();
    const before = clock.now();
    await createOnce(clock, creation(502, 9)).catch(() => undefined);
    expect(clock.now() - before).toBe(15_000);
  });

  test("may already exist when a refusal says so", async () => {
    const given = { ...creation(422, 1), meansExists: () => true };
    expect(await createOnce(createTestClock(), given)).toBe("made");
  });
});

test.each([
  [502, 3],
  [403, 1],
])(
  "a request that is safe to repeat is sent again after %i: %i times in all",
  async (status, times) => {
    let count = 0;
    const send = async () => {
      count += 1;
      throw failure(status);
    };
    await expect(sendAgain(createTestClock(), send)).rejects.toMatchObject({ reason: "pr" });
    expect(count).toBe(times);
  },
);
