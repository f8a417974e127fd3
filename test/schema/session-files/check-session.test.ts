import { describe, expect, test } from "vitest";
import {
  checkSeals,
  checkSession,
  checkTaskTimes,
  checkTimeOrder,
} from "../../../src/schema/session-files/check-session-files.ts";
import { canonicalChecksum, sha256 } from "../../../src/schema/session-files/checksum.ts";

const content = {
  last_updated: "2026-01-25T14:45:00Z",
  tasks: { "T-001": { passes: true, iterations: 1 } },
};
const canonical = canonicalChecksum(content);
const status = { checksum: canonical, ...content };
const bytes = Buffer.from(`${JSON.stringify(status, null, 2)}\n`);
const hex = sha256(bytes);

describe("the checksums of task-status.json", () => {
  test.each<[string, string | undefined]>([
    ["bare hex of the bytes", `${hex}\n`],
    ["bare hex without a line end", hex],
    ["a line of sha256sum", `${hex}  .ralph-session/task-status.json\n`],
    ["a binary line of sha256sum", `${hex} *task-status.json\n`],
    ["the prefixed canonical form", `${canonical}\n`],
    ["no external file", undefined],
  ])("hold with %s", (_, external) => {
    expect(checkSeals({ bytes, status, external })).toEqual([]);
  });

  test.each<[string, string, RegExp]>([
    ["the hash of other bytes", sha256("x"), /changed after/],
    ["bare canonical hash, which is not over the bytes", canonical.slice(7), /changed after/],
    ["a prefixed hash of the bytes", `sha256:${hex}`, /changed after/],
    ["upper case", hex.toUpperCase(), /holds no checksum/],
    ["nothing", "", /holds no checksum/],
    ["two lines", `${hex}\n${hex}\n`, /holds no checksum/],
    ["a cut checksum", hex.slice(1), /holds no checksum/],
  ])("fail with %s outside", (_, external, message) => {
    expect(checkSeals({ bytes, status, external })).toMatchObject([
      { severity: "error", path: [], message: expect.stringMatching(message) },
    ]);
  });

  test("fail when a status was edited, on both sides", () => {
    const edited = { ...status, tasks: { "T-001": { passes: true, iterations: 2 } } };
    const text = Buffer.from(JSON.stringify(edited));
    expect(checkSeals({ bytes: text, status: edited, external: hex })).toMatchObject([
      { path: ["checksum"], message: "is not the checksum of this file" },
      { path: [] },
    ]);
  });
});

describe("the order of a timeline", () => {
  const lines = (...times: string[]) =>
    checkTimeOrder(times.map((ts) => ({ ts }))).map(({ path }) => path);

  test("allows equal times, other offsets and other precisions", () => {
    expect(
      lines(
        "2026-01-25T14:30:52Z",
        "2026-01-25T14:30:52Z",
        "2026-01-25T15:30:52.500+01:00",
        "2026-01-25T14:30:52.500001Z",
      ),
    ).toEqual([]);
  });

  test("names each line that is earlier than the one before", () => {
    expect(
      lines(
        "2026-01-25T14:30:53Z",
        "2026-01-25T14:30:52Z",
        "2026-01-25T14:30:54Z",
        "2026-01-25T15:30:53.999+01:00",
      ),
    ).toEqual([
      [1, "ts"],
      [3, "ts"],
    ]);
  });
});

describe("a session", () => {
  const session = {
    session_id: "20260125-143052-a7b3c9",
    session_token: "ralph-20260125-143052-a7b3c9f2d1e8",
    started_at: "2026-01-25T14:30:52Z",
    task_source: ".ralph/prd.json",
    task_source_type: "prd_json",
    status: "running",
  } as const;
  const found = (changes: object) =>
    checkSession({
      ...session,
      completed_tasks: ["T-001"],
      pending_tasks: ["T-002", "T-003"],
      ...changes,
    }).map(({ severity, path, message }) => `${severity} ${path.join(".")} ${message}`);

  test("that agrees with itself is sound", () => {
    expect(found({ ended_at: "2026-01-25T14:30:52Z" })).toEqual([]);
  });

  test.each<[string, object, string]>([
    [
      "ends before it began",
      { ended_at: "2026-01-25T14:30:51Z" },
      "error ended_at is earlier than started_at, which is 2026-01-25T14:30:52Z",
    ],
    [
      "waits for a task that has passed",
      { pending_tasks: ["T-002", "T-001"] },
      "error pending_tasks.1 is T-001, which is in completed_tasks too",
    ],
    [
      "has the token of another one",
      { session_token: "ralph-20260125-143052-ffffff" },
      "warning session_token does not begin with the id of this session",
    ],
  ])("that %s is told", (_, changes, line) => {
    expect(found(changes)).toEqual([line]);
  });

  test("has no task that ends before it began", () => {
    const times = { started_at: "2026-01-25T14:30:53Z", completed_at: "2026-01-25T14:30:52Z" };
    const tasks = { "T-001": { passes: true, ...times } };
    expect(checkTaskTimes({ ...status, tasks })).toMatchObject([
      { severity: "error", path: ["tasks", "T-001", "completed_at"] },
    ]);
  });
});
