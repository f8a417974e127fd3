import type { Subtask } from "../../schema/tasks/prd.ts";
import { failureMessages } from "../../text/failure-excerpt.ts";
import type { CriterionResult, FactOf } from "../state/event.ts";
import type { Role } from "../state/roles.ts";
import type { GatesVerdict } from "./gates.ts";
import type { IterationFailure } from "./step.ts";

/** Why an iteration failed: feedback for the next agent, and a fingerprint for the stuck check. Pure text. */

const expected: Record<Role, string> = {
  implementation: "<task-done>",
  test_writing: "<tests-done>",
  review: "<review-approved> or <review-rejected>",
  fix: "<fix-done>",
  planning: "<plan>",
};

/** The failure of an answered call; undefined when its claim is accepted for now. */
export function callFailure(call: FactOf<"agent_end">): IterationFailure | undefined {
  if (call.trespassed.length > 0) return trespass(call);
  if (call.role === "review") return reviewFailure(call);
  return signalFailure(call, "signal");
}

function trespass({ trespassed, ignored }: FactOf<"agent_end">): IterationFailure {
  const also = ignored.length > 0 ? `\nIgnored files also changed: ${ignored.join(", ")}` : "";
  return {
    because: "guardrail",
    feedback: `The test writer changed files that it may not change: they are outside of the test paths, or Markdown or links that no test path names. They were put back:\n${list(trespassed)}${also}`,
    fingerprint: trespassed.join("\n"),
  };
}

function reviewFailure(call: FactOf<"agent_end">): IterationFailure | undefined {
  if (call.signal.kind !== "valid") return signalFailure(call, "review");
  if (call.signal.name === "review-approved") return undefined;
  return {
    because: "review",
    feedback: `The reviewer rejected the work:\n${call.signal.body}`,
    fingerprint: "rejected",
  };
}

function signalFailure(
  { role, signal }: FactOf<"agent_end">,
  because: "signal" | "review",
): IterationFailure | undefined {
  if (signal.kind === "valid") return undefined;
  const why = {
    missing: `The last message held no ${expected[role]} tag${role === "review" ? " at its end" : ""}.`,
    "wrong-token": "The tag of the last message carried a wrong session token.",
    contradiction: "The last message both approved and rejected; that counts as not approved.",
  }[signal.kind];
  return {
    because,
    feedback: `${role}: ${why} End with ${expected[role]} and the session token of the prompt.`,
    fingerprint: signal.kind,
  };
}

/** `hidesTests`: the implementation may not read the tests, so it gets names and messages only. */
export function gateFailure(
  { gate, result, fresh }: Extract<GatesVerdict, { kind: "failed" }>,
  { hidesTests }: { hidesTests: boolean },
): IterationFailure {
  const what = result.status === "timed_out" ? "ran out of time" : "failed";
  const known =
    fresh.length > 0 && fresh.length < result.fingerprints.length
      ? `\nOnly these are new:\n${list(fresh)}`
      : "";
  return {
    because: "gate",
    feedback: `Gate "${gate}" ${what}.${known}\n${hidesTests ? failureMessages(result.detail, fresh) : result.detail}`,
    fingerprint: `${gate}\n${fresh.join("\n")}`,
  };
}

export function criteriaFailure(failed: readonly CriterionResult[]): IterationFailure {
  const rows = failed.map(({ number, text, detail }) => `${number}. ${text}: ${detail}`);
  return {
    because: "criteria",
    feedback: `These acceptance criteria do not hold:\n${rows.join("\n")}`,
    fingerprint: failed.map(({ number }) => number).join(),
  };
}

export const noChange: IterationFailure = {
  because: "no_change",
  feedback:
    "Nothing has changed, and not every criterion is proved to hold already. Do the work the task asks for.",
  fingerprint: "no_change",
};

export function subtasksFailure(open: readonly Subtask[]): IterationFailure {
  const rows = open.map(({ id, title }) => `${id}: ${title}`);
  return {
    because: "subtasks",
    feedback: `These subtasks were not signalled with <subtask-complete>:\n${list(rows)}`,
    fingerprint: open.map(({ id }) => id).join(),
  };
}

const list = (rows: readonly string[]) => rows.map((row) => `- ${row}`).join("\n");
