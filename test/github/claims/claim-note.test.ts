import { describe, expect, test } from "vitest";
import {
  type ClaimNote,
  claimRef,
  isFree,
  itemOfRef,
  parseClaim,
  parseClaimLine,
  renderClaim,
  renderClaimLine,
} from "../../../src/github/claims/claim-note.ts";
import { createWorkRequest } from "../../../src/schema/work-request.ts";

const note: ClaimNote = {
  item: "issue-12",
  holder: "1001",
  url: "https://github.com/o/r/actions/runs/1001",
  expires_at: "2026-01-25T16:00:00.000Z",
  state: "held",
};
const commit = "c".repeat(40);

const items = ["issue-1", "issue-1234567890", `report-${"0a".repeat(8)}`, "reports", "prd"];
const others = [
  "",
  "issue-0",
  "issue-012",
  "issue-12345678901",
  "issue-12/../../heads/main",
  "issue-1\n",
  "Issue-1",
  "report-0A0a0a0a0a0a0a0a",
  "report-1",
  "reports.lock",
  "../heads/main",
  "reports ",
  "prd\0",
];

test("only names of the closed list are items, and their refs are claim refs (T40)", () => {
  expect(items.map(claimRef)).toEqual(items.map((item) => `refs/ralph/claims/${item}`));
  expect(items.map(claimRef).map(itemOfRef)).toEqual(items);
  for (const item of others) {
    expect(() => claimRef(item), item).toThrow(/is not a work item/);
    expect(itemOfRef(`refs/ralph/claims/${item}`), item).toBeUndefined();
  }
  expect(itemOfRef("refs/heads/reports")).toBeUndefined();
});

describe("a claim", () => {
  test("is read back from its commit, even with other line ends", () => {
    expect(parseClaim(renderClaim(note), "issue-12")).toEqual(note);
    expect(parseClaim(renderClaim(note).trim(), "issue-12")).toEqual(note);
    expect(parseClaim(renderClaim(note).replaceAll("\n", "\r\n"), "issue-12")).toEqual(note);
  });

  test("describes itself in its first line", () => {
    const released = renderClaim({ ...note, holder: "app\n\u001b[2Jof ada", state: "released" });
    expect(renderClaim(note)).toMatch(/^ralph: workflow run 1001 works on issue-12 until 2026-/);
    expect(released).toMatch(/^ralph: app of ada released issue-12\n\n\{/);
    expect(parseClaim(released, "issue-12")?.holder).toBe("app\n\u001b[2Jof ada");
  });

  test.each([
    ["no text", ""],
    ["no JSON", "{broken"],
    ["a different item", JSON.stringify({ ...note, item: "issue-13" })],
    ["an unknown state", JSON.stringify({ ...note, state: "paused" })],
    ["no time", JSON.stringify({ ...note, expires_at: "tomorrow" })],
    ["no holder", JSON.stringify({ ...note, holder: "" })],
    ["too long a name", JSON.stringify({ ...note, holder: "x".repeat(201) })],
    ["an array", JSON.stringify([note])],
  ])("is not parsed from a message with %s", (_, message) => {
    expect(parseClaim(message, "issue-12")).toBeUndefined();
  });

  test("of a newer version may have more keys", () => {
    const message = JSON.stringify({ ...note, since: "2026-01-25T15:00:00.000Z" });
    expect(parseClaim(message, "issue-12")).toEqual(note);
  });

  test("of an earlier version says in other words what was asked for", () => {
    const textDigest = "0".repeat(64);
    const among = { item: "reports", also: "issue-12", text: textDigest };
    const read = (old: object) =>
      parseClaim(JSON.stringify({ ...note, ...old }), "item" in old ? "reports" : "issue-12")
        ?.request;
    expect(read({ again: true })).toEqual({
      ...{ command: "run", item: "issue-12", issue: 12 },
      ...{ trigger: "start-command", overridesRejection: true },
    });
    expect(read(among)).toEqual({
      ...{ command: "autopilot", item: "reports", issue: 12, alternativeIssue: 12, textDigest },
      ...{ trigger: "label", overridesRejection: false },
    });
  });

  test("is written so that earlier versions read what was asked for", () => {
    const request = createWorkRequest({
      ...{ command: "autopilot", item: "reports", issue: 12, alternativeIssue: 12 },
      ...{ trigger: "start-command", textDigest: "0".repeat(64) },
    });
    const line =
      renderClaim({ ...note, item: "reports", request })
        .split("\n")
        .at(-2) ?? "";
    expect(JSON.parse(line)).toEqual({
      ...{ ...note, item: "reports", request },
      ...{ also: "issue-12", text: "0".repeat(64), again: true },
    });
  });

  test("is free once released, or a minute after its lease", () => {
    const end = Date.parse(note.expires_at);
    const seen = [end - 1, end + 60_000, end + 60_001].map((now) => isFree(note, now));
    expect(seen).toEqual([false, false, true]);
    expect(isFree({ ...note, state: "released" }, end - 1)).toBe(true);
  });
});

test("a claim passes between jobs as one line", () => {
  const claim = { item: "issue-12", commit };
  expect(renderClaimLine(claim)).toBe(`issue-12:${commit}`);
  expect(parseClaimLine(` ${renderClaimLine(claim)}\n`)).toEqual(claim);
  for (const line of ["", "issue-12", `issue-12:${commit}:x`, "issue-12:HEAD", `x:${commit}`]) {
    expect(() => parseClaimLine(line), line).toThrow(expect.objectContaining({ exitCode: 1 }));
  }
});
