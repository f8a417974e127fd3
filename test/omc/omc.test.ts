import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as omc from "../../src/omc/index.ts";

let project: string;
let home: string;
let logged: string[];

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "ralph-omc-"));
  home = mkdtempSync(join(tmpdir(), "ralph-omc-"));
  logged = [];
  vi.stubEnv("HOME", home);
  vi.stubEnv("CI", "");
  vi.spyOn(process.stderr, "write").mockImplementation((text) => logged.push(String(text)) > 0);
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(project, { recursive: true });
  rmSync(home, { recursive: true });
});

const read = (path: string) => JSON.parse(readFileSync(join(project, path), "utf8"));
const put = (root: string, path: string, text: string) => {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
};

test("the example of the specification works as it is written", () => {
  const state = omc.createRalphState("id", "task prompt");
  omc.writeRalphState(project, state);
  state.iteration++;
  omc.updateRalphStateIteration(project, state, "story-123");
  expect(read(".omc/ralph-state.json")).toMatchObject({
    active: true,
    iteration: 1,
    max_iterations: 50,
    completion_promise: "<promise>TASK_COMPLETE</promise>",
    prompt: "task prompt",
    session_id: "id",
    prd_mode: true,
    current_story_id: "story-123",
  });
  omc.markRalphStateComplete(project, state);
  expect(omc.readRalphState(project)).toMatchObject({ active: false, iteration: 1 });
  omc.clearRalphState(project);
  expect(omc.readRalphState(project)).toBeNull();
  expect(logged).toEqual([]);
});

test("every write touches the time of the last activity", () => {
  const state = {
    ...omc.createRalphState("id", "p"),
    last_activity_at: "2025-01-22T10:30:00.000Z",
  };
  omc.updateRalphStateIteration(project, state);
  expect(Date.parse(read(".omc/ralph-state.json").last_activity_at)).toBeGreaterThan(
    Date.parse("2026-01-01"),
  );
});

test("a project in which no folder can be made costs a line of the log", () => {
  omc.writeRalphState("/proc/1", omc.createRalphState("id", "p"));
  expect(logged).toEqual([expect.stringContaining("Failed to write")]);
});

test("an update counts nothing and keeps the story where none is given", () => {
  const state = omc.createRalphState("id", "p", 7, true);
  omc.updateRalphStateIteration(project, state, "s");
  omc.updateRalphStateIteration(project, state);
  expect(omc.readRalphState(project)).toMatchObject({
    iteration: 0,
    max_iterations: 7,
    prd_mode: true,
    current_story_id: "s",
  });
});

test("used up attempts are no approval, and an approval ends the waiting", () => {
  const state = omc.createVerificationState("id", "task", "claim");
  for (const attempt of [1, 2, 3, 4]) {
    omc.updateVerificationAttempt(project, state, `no ${attempt}`, false);
    expect(omc.readVerificationState(project)).toMatchObject({
      pending: true,
      verification_attempts: attempt,
      oracle_feedback: `no ${attempt}`,
    });
  }
  omc.updateVerificationAttempt(project, state, "approved", true);
  expect(omc.readVerificationState(project)).toMatchObject({
    pending: false,
    verification_attempts: 5,
    max_verification_attempts: 3,
  });
});

describe("ultrawork", () => {
  test("is written below the home only where that is asked for, and read from the project first", () => {
    const state = omc.createUltraworkState("local", "prompt");
    omc.writeUltraworkState(project, state);
    expect(omc.readUltraworkState(home)?.session_id).toBeUndefined();
    omc.writeUltraworkState(project, { ...state, session_id: "both" }, true);
    omc.writeUltraworkState(project, state);
    expect(omc.readUltraworkState(project)?.session_id).toBe("local");
    omc.clearUltraworkState(project);
    expect(omc.readUltraworkState(project)?.session_id).toBe("both");
    omc.clearUltraworkState(project, true);
    expect(omc.readUltraworkState(project)).toBeNull();
  });

  test("never touches the home in CI", () => {
    put(home, ".opencode/ultrawork-state.json", JSON.stringify(omc.createUltraworkState("g", "p")));
    vi.stubEnv("CI", "true");
    omc.writeUltraworkState(project, omc.createUltraworkState("local", "p"), true);
    omc.clearUltraworkState(project, true);
    expect(omc.readUltraworkState(project)?.session_id).toBe("g");
    expect(logged.join("")).toContain("Did not write global ultrawork state");
  });

  test("falls back to the home where the project's file is broken, and says so", () => {
    put(home, ".opencode/ultrawork-state.json", JSON.stringify(omc.createUltraworkState("g", "p")));
    put(project, ".omc/ultrawork-state.json", "{");
    expect(omc.readUltraworkState(project)?.session_id).toBe("g");
    expect(logged.join("")).toContain("Failed to read ultrawork state");
  });

  test("counts a check", () => {
    const state = omc.createUltraworkState("id", "p");
    omc.updateUltraworkStateChecked(project, state);
    expect(omc.readUltraworkState(project)?.reinforcement_count).toBe(1);
  });
});

const good = {
  ralph: {
    path: ".omc/ralph-state.json",
    state: omc.createRalphState("i", "p"),
    read: omc.readRalphState,
  },
  verification: {
    path: ".omc/ralph-verification.json",
    state: omc.createVerificationState("i", "t", "c"),
    read: omc.readVerificationState,
  },
  ultrawork: {
    path: ".omc/ultrawork-state.json",
    state: omc.createUltraworkState("i", "p"),
    read: omc.readUltraworkState,
  },
};

describe.each(Object.values(good))("$path", ({ path, state, read: readState }) => {
  test("is null with one line in the log when it is cut off anywhere", () => {
    const text = JSON.stringify(state);
    for (let length = 0; length < text.length; length += 1) {
      put(project, path, text.slice(0, length));
      logged = [];
      expect(readState(project)).toBeNull();
      expect(logged).toHaveLength(1);
    }
  });

  test.each(Object.keys(state))("is null when %s has another type or is missing", (key) => {
    for (const value of [{ a: 1 }, ["x"], undefined]) {
      put(project, path, JSON.stringify({ ...state, [key]: value }));
      expect(readState(project)).toBeNull();
    }
    expect(logged).toHaveLength(3);
  });

  test("keeps what a newer version has added", () => {
    put(project, path, JSON.stringify({ ...state, added: 1 }));
    expect(readState(project)).toMatchObject({ added: 1 });
  });

  test("is not read or written through a link", () => {
    put(home, path, JSON.stringify(state));
    symlinkSync(join(home, ".omc"), join(project, ".omc"));
    expect(readState(project)).toBeNull();
    omc.writeRalphState(project, omc.createRalphState("other", "p"));
    expect(readFileSync(join(home, path), "utf8")).toBe(JSON.stringify(state));
    expect(logged.length).toBeGreaterThan(1);
  });
});
