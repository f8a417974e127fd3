import { expect, test } from "vitest";
import type { FactOf } from "../../../src/core/state/event.ts";
import { remarksOn } from "../../../src/session/steps/call-agent.ts";
import { agentEnd } from "../../support/builders/session.ts";

const request = { program: ["claude"], allowedTools: ["Read"], readOnly: false } as const;
const question = "I have looked around.\nTabs or spaces?\n";
const call = (more: Partial<FactOf<"agent_end">>) => agentEnd("T-001", more);
const missing = { kind: "missing" } as const;

test("an answer with its claim needs no remark", () => {
  expect(remarksOn(call({}), { request, message: question })).toEqual([]);
});

test("the last words of an answer without a claim are reported", () => {
  expect(remarksOn(call({ signal: missing }), { request, message: question })).toEqual([
    "T-001 implementation: `claude` claimed nothing; its last words: Tabs or spaces?",
  ]);
});

test.each<[string, Partial<FactOf<"agent_end">>, string]>([
  ["of an empty answer", { signal: missing }, " \n"],
  ["of a wrong token", { signal: { kind: "wrong-token", name: "task-done" } }, question],
  ["of a failed call", { signal: missing, outcome: { kind: "cancelled" } }, question],
])("no words are told %s", (_title, more, message) => {
  expect(remarksOn(call(more), { request, message })).toEqual([]);
});

test.each([
  ["with a list", request, "add what it needs to `agents.implementation.allowed_tools`"],
  ["without a list", { ...request, allowedTools: [] }, "by its own settings or hooks"],
])("tools a writer %s was denied are named with where to look", (_title, given, words) => {
  const remarks = remarksOn(call({ denied: ["Write", "Bash"] }), { request: given, message: "" });
  expect(remarks).toEqual([expect.stringContaining("was denied Write, Bash")]);
  expect(remarks[0]).toContain(words);
});

test("what a reader is denied is no news", () => {
  const given = { ...request, readOnly: true };
  expect(remarksOn(call({ denied: ["Write"] }), { request: given, message: "" })).toEqual([]);
});
