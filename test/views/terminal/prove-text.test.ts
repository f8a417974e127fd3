import { expect, test } from "vitest";
import type { HeadProof } from "../../../src/core/checks/prove.ts";
import {
  renderProofPage,
  renderProofStep,
  renderVerdict,
} from "../../../src/views/terminal/prove-text.ts";

const gate = { name: "test", status: "passed", ok: true, ms: 4512 } as const;
const red = {
  ...gate,
  name: "lint",
  status: "failed",
  ok: false,
  because: "exit code 1\nx.ts:1",
} as const;
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
};
const refuted: HeadProof = { ...proof, kind: "refuted", gates: [gate, red] };

test("each result is a line, and a failure is followed by its reason", () => {
  expect(renderProofStep({ kind: "gate", ...gate })).toBe("✓ gate test, 4.5 s");
  expect(renderProofStep({ kind: "gate", ...red })).toBe(
    "✗ gate lint, 4.5 s\n    | exit code 1\n    | x.ts:1",
  );
  expect(renderProofStep({ kind: "setup", ...gate, because: "skipped" })).toBe(
    "✓ setup step test, 4.5 s (skipped)",
  );
  expect(renderProofStep({ kind: "criterion", ...criterion })).toBe(
    "✓ T-001 criterion 2: Run `make` exits with 0",
  );
});

test("the verdict names the commits and how much was looked at", () => {
  expect(renderVerdict(proof, "/state")).toMatchInlineSnapshot(`
    "Head bbbbbbbbbbbb is proved by 1 gate and 1 checkable criterion of start commit aaaaaaaaaaaa, in a fresh clone, in the sandbox.
    Their output is in /state/proof/evidence."
  `);
  expect(renderVerdict(refuted, "/state")).toMatchInlineSnapshot(`
    "Head bbbbbbbbbbbb is REFUTED: 1 of 3 results red, from 2 gates and 1 checkable criterion of start commit aaaaaaaaaaaa, in a fresh clone, in the sandbox.
    Their output is in /state/proof/evidence."
  `);
  const unsound: HeadProof = {
    ...proof,
    kind: "refuted",
    gates: [],
    criteria: [],
    problems: ["T-001: no review approved it"],
  };
  expect(renderVerdict(unsound, "/state")).toMatchInlineSnapshot(`
    "✗ T-001: no review approved it
    Head bbbbbbbbbbbb is REFUTED."
  `);
});

const program: NonNullable<HeadProof["program"]> = {
  level: "ui",
  parts: [
    { phase: "services", status: "passed", ok: true, ms: 412 },
    { phase: "browser", name: "app", status: "passed", ok: true, ms: 640 },
  ],
  missing: [],
  files: {},
};
const redPage = {
  phase: "browser",
  name: "page",
  status: "failed",
  ok: false,
  ms: 5100,
  because: 'nothing on the page matches "x"\nit shows: y',
  picture: { sha256: "e".repeat(64), bytes: 10 },
} as const;

test("the program as it runs is in the steps, the verdict and the page, with what the machine lacked", () => {
  expect(program.parts.map((part) => renderProofStep({ kind: "program", ...part }))).toEqual([
    "✓ services, 412 ms",
    "✓ browser test app, 640 ms",
  ]);
  const skipped = { phase: "robot", name: "later", status: "skipped", ok: true, ms: 1 } as const;
  expect(renderProofStep({ kind: "program", ...skipped })).toBe(
    "· test of Robot Framework later, 1 ms",
  );
  const left = { ...program, missing: ["the suite of Robot Framework (no robot)"] };
  expect(renderVerdict({ ...proof, program: left }, "/state")).toMatchInlineSnapshot(`
    "Head bbbbbbbbbbbb is proved by 1 gate, 1 checkable criterion and 1 test of the user interface of start commit aaaaaaaaaaaa, in a fresh clone, in the sandbox.
    Not run on this machine: the suite of Robot Framework (no robot).
    Their output is in /state/proof/evidence."
  `);
  const parts = [...program.parts, redPage];
  const red: HeadProof = { ...proof, kind: "refuted", program: { ...program, parts } };
  expect(renderVerdict(red, "/state")).toMatchInlineSnapshot(`
    "Head bbbbbbbbbbbb is REFUTED: 1 of 5 results red, from 1 gate, 1 checkable criterion and 2 tests of the user interface of start commit aaaaaaaaaaaa, in a fresh clone, in the sandbox.
    Picture of browser test page: /state/proof/evidence/eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee
    Their output is in /state/proof/evidence."
  `);
  const page = renderProofPage({ ...red, program: { ...left, parts } });
  expect(page).toContain("| ✓ | services | 412 ms |  |\n");
  expect(page).toContain("| ✗ | browser test page | 5.1 s | nothing on the page matches");
  expect(page).toContain("Not run on this machine: the suite of Robot Framework");
});

const base: NonNullable<HeadProof["base"]> = {
  kind: "current",
  branch: "main",
  commit: "d".repeat(40),
  conflicts: [],
  setup: [],
  gates: [],
  criteria: [],
};

test.each<[Partial<typeof base>, string]>([
  [{}, "Their output is in /state/proof/evidence."],
  [{ kind: "unknown" }, "This clone does not show whether it merges with main (dddddddddddd)."],
  [
    { kind: "conflict", conflicts: ["a.ts", "b\n.ts"] },
    "It CONFLICTS with main (dddddddddddd) in 2 files: a.ts, b .ts.",
  ],
  [{ kind: "green", gates: [gate] }, "It also holds merged with main (dddddddddddd)."],
  [
    { kind: "red", gates: [gate, red] },
    "It does NOT hold merged with main (dddddddddddd): 1 result red.",
  ],
])("the verdict includes the base branch: %j", (more, words) => {
  expect(renderVerdict({ ...proof, base: { ...base, ...more } }, "/state").split("\n")[1]).toBe(
    words,
  );
});

test("results on the merge are distinguished from those on the head", () => {
  expect(renderProofStep({ kind: "gate", merged: true, ...gate })).toBe(
    "✓ gate test, 4.5 s, merged",
  );
  const page = renderProofPage({ ...proof, base: { ...base, kind: "green", gates: [gate] } });
  expect(page).toContain("| ✓ | gate `test` | 4.5 s |  |\n");
  expect(page).toContain("| ✓ | gate `test` (merged) | 4.5 s |  |\n");
  expect(page).toContain("It also holds merged with main");
});

test("the page of a job is a table of all that was looked at", () => {
  expect(
    renderProofPage({ ...refuted, setup: [{ ...gate, name: "install" }] }),
  ).toMatchInlineSnapshot(`
    "## ✗ ralph: refuted in a clean room

    Head bbbbbbbbbbbb is REFUTED: 1 of 3 results red, from 2 gates and 1 checkable criterion of start commit aaaaaaaaaaaa, in a fresh clone, in the sandbox. It ran without an agent or a model key.

    | | Check | Time | Reason |
    | --- | --- | --- | --- |
    | ✓ | setup step \`install\` | 4.5 s |  |
    | ✓ | gate \`test\` | 4.5 s |  |
    | ✗ | gate \`lint\` | 4.5 s | exit code 1 x.ts:1 |
    | ✓ | T-001 criterion 2: Run \`make\` exits with 0 |  |  |
    "
  `);
});

test("no text of an agent can steer the terminal or the page", () => {
  const because = "\u001b[31m::error::x\n##[error]y | <img src=x> [a](http://evil.example) @me";
  const text = "**bold** | <b>x</b> @everyone";
  const hostile: HeadProof = {
    ...refuted,
    gates: [{ ...red, because }],
    criteria: [{ ...criterion, text, ok: false, because }],
    problems: [because],
  };
  const steps = renderProofStep({ kind: "gate", ...red, because });
  expect(steps).not.toMatch(/^\s*::|##\[/m);
  const page = renderProofPage(hostile);
  const outside = page.replace(/`[^`\n]*`/g, "");
  expect(outside).not.toMatch(/<\w|\]\(http|@\w|^\s*::|##\[/m);
  expect(`${steps}${page}`).not.toContain("\u001b");
  for (const line of page.split("\n").filter((each) => each.startsWith("|"))) {
    expect(line.replaceAll("\\|", "").split("|")).toHaveLength(6);
  }
});
