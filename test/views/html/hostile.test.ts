import fc from "fast-check";
import { expect, test } from "vitest";
import type { CriterionResult, Fact } from "../../../src/core/state/event.ts";
import { renderHtmlReport } from "../../../src/views/html/report.ts";
import {
  agentEnd,
  failed,
  gateEnd,
  passing,
  sessionStart,
  start,
  task,
} from "../../support/builders/session.ts";
import { hostileText } from "../job/hostile-text.ts";
import { problemsOf } from "./check-page.ts";
import { told } from "./long-session.ts";

/** A session in which each text of somebody else is the next of these. */
function sessionOf(next: () => string) {
  const output = { sha256: next(), bytes: 1 };
  const tasks = ["T-001", "T-002"].map((id) =>
    task(id, { title: next(), description: next(), acceptanceCriteria: [next(), next()] }),
  );
  const facts: Fact[] = [
    sessionStart(tasks, {
      session_id: next(),
      project: next(),
      description: next(),
      branch: next(),
      config_path: next(),
      source: { type: "prd_json", path: next() },
      start: { commit: next(), tree: "t0" },
      versions: { [next()]: next() },
    }),
    { type: "setup_end", name: next(), status: "failed", ms: 5, output },
    ...workOn(next, output),
    { type: "warning", message: next() },
    { type: "session_end", reason: "task_failed", message: next() },
  ];
  return told(facts.map((fact) => [fact, 1]));
}

function workOn(next: () => string, output: { sha256: string; bytes: number }): Fact[] {
  const results: CriterionResult[] = ["command", "judged"].map((kind, index) => ({
    number: index + 1,
    text: next(),
    kind: kind === "command" ? "command" : "judged",
    verdict: kind === "command" ? "failed" : "to_judge",
    detail: next(),
    evidence: output,
  }));
  const [first, ...passed] = passing("T-001", { commit: next() });
  const files = [{ status: next(), path: next() }];
  return [
    ...(first ? [first] : []),
    {
      type: "agent_start",
      task: "T-001",
      role: "review",
      iteration: 1,
      driver: next(),
      model: next(),
      prompt: output,
    },
    agentEnd("T-001", {
      role: "review",
      outcome: { kind: "failed", class: "agent", message: next() },
    }),
    gateEnd("T-001", { gate: next(), status: "failed", detail: next() }),
    ...passed.map((fact) => (fact.type === "task_passed" ? { ...fact, files } : fact)),
    start("T-002", "t1"),
    gateEnd("T-002", { gate: next(), status: "failed" }),
    { type: "criteria_end", task: "T-002", tree: "t1", results },
    failed("T-002", "gate", { feedback: next() }),
    { type: "task_failed", task: "T-002", message: next(), kept: next() },
  ];
}

const pageOf = (next: () => string, journal: string) => {
  const { state, events } = sessionOf(next);
  return renderHtmlReport(state, { events, journal, isAlive: false, pictures: new Map() });
};

test.each([
  "</style><script>alert(1)</script>",
  `"><img src=x onerror=alert(1)>`,
  "'-alert(1)-'",
  "--><!-- <svg/onload=alert(1)>",
  "</title><base href=//evil.example>",
  "javascript:alert(1) https://evil.example",
  "\u202eabc\u2066\u200b\u0000\u001b]8;;https://evil.example\u0007",
  "&lt;script&gt;",
  "`<b>`",
])("%j in every field runs nothing, loads nothing and leaves no mark", (text) => {
  const page = pageOf(() => text, text);
  expect(problemsOf(page)).toEqual([]);
  expect(page).not.toMatch(/<script|<img|<base|<svg\//i);
  expect(page).not.toMatch(/(?:href|src)="(?!#|data:,")/i);
});

test("whatever the texts are, the page is sound", () => {
  fc.assert(
    fc.property(fc.array(hostileText, { minLength: 5, maxLength: 40 }), (texts) => {
      let at = 0;
      const next = () => texts[at++ % texts.length] ?? "";
      expect(problemsOf(pageOf(next, texts[0] ?? ""))).toEqual([]);
    }),
  );
});

test("texts without an end are cut", () => {
  const long = "<&".repeat(500_000);
  const page = pageOf(() => long, "");
  expect(page.length).toBeLessThan(400_000);
  expect(problemsOf(page)).toEqual([]);
});
