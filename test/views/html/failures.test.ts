import fc from "fast-check";
import { expect, test } from "vitest";
import { countFailures, excerpt, failuresByTask } from "../../../src/views/html/failures.ts";
import { agentEnd, events, failed } from "../../support/builders/session.ts";

test("failures are collected by task: failed iterations and failed programs", () => {
  const told = failuresByTask(
    events([
      failed("T-001", "gate", { feedback: 'Gate "test" failed.' }),
      agentEnd("T-002", { outcome: { kind: "limited", message: "limit reached" } }),
      failed("T-001", "review", { iteration: 2, feedback: "No." }),
      agentEnd("T-001"),
    ]),
  );
  expect(Object.fromEntries(told)).toMatchObject({
    "T-001": [
      { iteration: 1, cause: "gate failed", message: 'Gate "test" failed.' },
      { iteration: 2, cause: "review did not approve", message: "No." },
    ],
    "T-002": [{ iteration: 1, cause: "usage limit", message: "limit reached" }],
  });
});

test("how often is counted", () => {
  const gate = { iteration: 1, cause: "gate failed", message: "" };
  const review = { ...gate, cause: "review did not approve" };
  expect(countFailures([gate, review, gate])).toBe("gate failed 2 times, review did not approve");
});

test("long messages keep their beginning and end", () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`);
  const words = excerpt(lines.join("\n")).split("\n");
  expect(words).toHaveLength(24);
  expect(words.slice(3, 6)).toEqual(["line 4", "…", "line 82"]);
  expect(excerpt("x".repeat(5000))).toHaveLength(300);
});

test("to shorten them twice changes nothing", () => {
  const text = fc.array(fc.string({ unit: "binary", maxLength: 400 }), { maxLength: 60 });
  fc.assert(
    fc.property(text, (lines) => {
      const once = excerpt(lines.join("\n"));
      expect(excerpt(once)).toBe(once);
    }),
  );
});
