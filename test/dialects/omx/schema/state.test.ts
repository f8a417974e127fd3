import { describe, expect, test } from "vitest";
import {
  checkOmxMode,
  checkOmxState,
  omxPhase,
} from "../../../../src/dialects/omx/schema/state.ts";
import { renderPath } from "../../../../src/schema/base/finding.ts";

const sound = {
  active: true,
  iteration: 3,
  max_iterations: 50,
  current_phase: "executing",
  started_at: "2026-01-25T14:30:52Z",
};

const told = (value: unknown) =>
  checkOmxState(value).findings.map(
    ({ severity, path, message }) => `${severity}: ${renderPath(path)} ${message}`,
  );

test.each([
  ["start", "starting"],
  ["started", "starting"],
  ["execution", "executing"],
  ["execute", "executing"],
  ["verify", "verifying"],
  ["verification", "verifying"],
  ["fix", "fixing"],
  ["completed", "complete"],
  ["fail", "failed"],
  ["error", "failed"],
  ["cancel", "cancelled"],
  [" Verifying ", "verifying"],
])("the older name %j is %s", (word, phase) => {
  expect(omxPhase(word)).toBe(phase);
});

test.each(["canceled", "done", "", "constructor", "__proto__", "complete!"])(
  "%j is no phase, and a state with it is refused",
  (word) => {
    expect(omxPhase(word)).toBeUndefined();
    expect(told({ ...sound, current_phase: word })).toEqual([
      `error: current_phase must be one of starting, executing, verifying, fixing, complete, failed, cancelled, not ${JSON.stringify(word)}`,
    ]);
  },
);

test("an older phase name is valid, with a warning", () => {
  expect(told({ ...sound, current_phase: "verify" })).toEqual([
    'warning: current_phase is an older name of "verifying"',
  ]);
});

test.each(["complete", "failed", "cancelled"])("phase %s is an end: active is refused", (phase) => {
  expect(told({ ...sound, current_phase: phase })).toEqual([
    `error: active must be false: phase "${phase}" is an end`,
  ]);
  const ended = { ...sound, active: false, current_phase: phase };
  expect(told(ended)).toEqual(["warning: completed_at is missing; an ended run needs it"]);
  expect(told({ ...ended, completed_at: "2026-01-25T15:00:00Z" })).toEqual([]);
});

test("an inactive run needs no key but `active`", () => {
  expect(told({ active: false })).toEqual([]);
  expect(told({})).toEqual(["error: active is missing; add it"]);
});

test.each(["iteration", "max_iterations", "current_phase", "started_at"])(
  "an active run has %s",
  (key) => {
    const { [key]: _, ...rest } = sound as Record<string, unknown>;
    expect(told(rest)).toEqual([`error: ${key} is missing; an active run needs it`]);
  },
);

describe("a wrong type is reported at its key", () => {
  const times = ["started_at", "completed_at", "last_turn_at", "linked_team_terminal_at"];
  const texts = ["current_phase", "stop_reason", "linked_mode", "linked_team_terminal_phase"];
  const links = ["linked_ultrawork", "linked_ecomode", "linked_team"];
  const wrong: [string, unknown][] = [
    ...["yes", 1, null, {}, []].map((value): [string, unknown] => ["active", value]),
    ...["3", -1, 1.5, null].map((value): [string, unknown] => ["iteration", value]),
    ...["50", 0, -1, true].map((value): [string, unknown] => ["max_iterations", value]),
    ...times.flatMap((key) => ["soon", 5, null].map((value): [string, unknown] => [key, value])),
    ...texts.flatMap((key) => [5, null, {}].map((value): [string, unknown] => [key, value])),
    ...links.flatMap((key) => [5, null, {}].map((value): [string, unknown] => [key, value])),
  ];
  test.each(wrong)("%s: %j", (key, value) => {
    const { data, findings } = checkOmxState({ ...sound, [key]: value });
    expect(data).toBeUndefined();
    expect(findings.map(({ path }) => renderPath(path))).toEqual([key]);
  });

  test.each([[null], [[]], ["text"], [5]])("%j is not a state", (value) => {
    expect(checkOmxState(value).data).toBeUndefined();
  });
});

test("unknown keys are kept, and other modes have their own phases", () => {
  expect(checkOmxState({ ...sound, mode: "ralph" }).data).toMatchObject({ mode: "ralph" });
  expect(checkOmxMode({ active: true, current_phase: "team-exec" }).findings).toEqual([]);
});
