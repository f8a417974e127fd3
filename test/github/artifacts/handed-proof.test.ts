import { describe, expect, test } from "vitest";
import type { HeadProof } from "../../../src/core/checks/prove.ts";
import {
  parseHandedProof,
  renderHandedProof,
  requireHandedProof,
} from "../../../src/github/artifacts/handed-proof.ts";

const gate = { name: "test", status: "passed", ok: true, ms: 4512 } as const;
const criterion = { task: "T-001", index: 2, text: "Run `make` exits with 0", ok: true };
const proof: HeadProof = {
  kind: "proved",
  sessionId: "20260125-143052-a7b3c9",
  start: "a".repeat(40),
  head: "b".repeat(40),
  headTree: "c".repeat(40),
  journal: "9:abc",
  sandbox: "bubblewrap",
  setup: [],
  gates: [gate],
  criteria: [criterion],
  problems: [],
  base: {
    kind: "red",
    branch: "main",
    commit: "d".repeat(40),
    conflicts: [],
    setup: [],
    gates: [{ ...gate, ok: false, status: "failed" }],
    criteria: [{ ...criterion, ok: false }],
  },
};

describe("a proof passed between jobs", () => {
  test("is one line with its results, without the output of programs", () => {
    const text = renderHandedProof(proof);
    expect(text).not.toContain("\n");
    expect(parseHandedProof(text)).toEqual({
      kind: "proved",
      head: proof.head,
      journal: "9:abc",
      gates: [{ name: "test", status: "passed", ok: true }],
      criteria: [{ task: "T-001", index: 2, ok: true }],
      problems: [],
      base: {
        kind: "red",
        branch: "main",
        commit: "d".repeat(40),
        conflicts: [],
        red: ["gate test", "T-001 criterion 2"],
      },
    });
  });

  test("says how far the program was looked at, what was red, and what the machine lacked", () => {
    const red = { phase: "robot", name: "Login", status: "failed", ok: false, ms: 1 } as const;
    const parts = [{ phase: "services", status: "passed", ok: true, ms: 1 } as const, red];
    const missing = ["browser tests (no Chromium)"];
    const program = { level: "robot", parts, missing, files: {} } as const;
    expect(parseHandedProof(renderHandedProof({ ...proof, program }))?.program).toEqual({
      ...{ level: "robot", red: ["test of Robot Framework Login"], missing },
    });
  });

  test("keeps some of its findings, which keep the pull request a draft, however long they are", () => {
    const finding = { kind: "finding", check: "census", message: "\u001b".repeat(600) };
    const findings = Array.from({ length: 20 }, () => finding);
    const text = renderHandedProof({ ...proof, work: [{ task: "T-001", findings }] } as never);
    expect(parseHandedProof(text)?.findings).toHaveLength(3);
  });

  test("keeps its verdict when it exceeds the size limit", () => {
    const criteria = Array.from({ length: 2000 }, (_, at) => ({ ...criterion, index: at + 1 }));
    const text = renderHandedProof({ ...proof, criteria });
    expect(text.length).toBeLessThan(24 * 1024);
    expect(parseHandedProof(text)).toMatchObject({ kind: "proved", gates: [{}], criteria: [] });
    const gates = Array.from({ length: 200 }, () => ({ ...gate, name: "x".repeat(400) }));
    const base = { ...proof.base, kind: "conflict", conflicts: Array(30).fill("é".repeat(2000)) };
    const huge = renderHandedProof({ ...proof, gates, base } as HeadProof);
    expect(parseHandedProof(huge)).toMatchObject({ kind: "proved", head: proof.head, gates: [] });
  });

  test("stays refuted, however long and odd its problems are", () => {
    const problems = Array.from({ length: 20 }, () => "\u001b".repeat(600));
    const text = renderHandedProof({ ...proof, kind: "refuted", problems });
    expect(parseHandedProof(text)).toMatchObject({ kind: "refuted", head: proof.head });
  });

  test.each([
    ["nothing", undefined],
    ["an empty text", ""],
    ["another text", "yes"],
    ["another shape", JSON.stringify({ kind: "proved" })],
    ["a text without end", `"${"x".repeat(30_000)}"`],
  ])("is undefined when it is %s", (_, text) => {
    expect(parseHandedProof(text)).toBeUndefined();
    expect(() => requireHandedProof(text ?? "", "RALPH_PROOF")).toThrow(
      expect.objectContaining({
        reason: "source",
        message: expect.stringMatching(/^RALPH_PROOF is not/),
      }),
    );
  });
});
