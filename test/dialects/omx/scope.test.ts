import { describe, expect, test } from "vitest";
import type { ForeignFile } from "../../../src/dialects/dialect.ts";
import { omx } from "../../../src/dialects/omx/omx.ts";

const now = "2026-01-25T15:00:00.000Z";
const started_at = "2026-01-25T14:30:52.000Z";
const atWork = {
  active: true,
  iteration: 3,
  max_iterations: 50,
  current_phase: "executing",
  started_at,
};
const mode = { active: true, started_at };
const root = (name: string) => `.omx/state/${name}-state.json`;
const of = (session: string, name: string) => `.omx/state/sessions/${session}/${name}-state.json`;
const pointer = ".omx/state/session.json";

type Files = Record<string, object>;
const treeOf = (files: Files) =>
  new Map(Object.entries(files).map(([path, value]) => [path, JSON.stringify(value)]));

/** What a cancellation changes, by path, in the order in which it is written. */
function cancelled(files: Files, id?: string): [string, Record<string, unknown>][] {
  const tree = treeOf(files);
  return omx.cancel(tree, { id, now }).map((file) => [file.path, afterwards(tree, file)]);
}

function afterwards(tree: ReadonlyMap<string, string>, file: ForeignFile) {
  if (!("merge" in file)) throw new Error("a state is changed under its lock");
  return JSON.parse(file.merge(tree.get(file.path)) ?? "null");
}

const paths = (changed: [string, unknown][]) => changed.map(([path]) => path);

describe("reading", () => {
  test.each<[string, Files, [string | undefined, string][]]>([
    ["nothing", {}, []],
    [
      "the root scope where there is no session",
      { [root("ralph")]: atWork },
      [[undefined, root("ralph")]],
    ],
    [
      "the session before the root, which is not listed twice",
      { [pointer]: { session_id: "s1" }, [of("s1", "ralph")]: atWork, [root("ralph")]: atWork },
      [["s1", of("s1", "ralph")]],
    ],
    [
      "the root where the session has no such file",
      { [pointer]: { session_id: "s1" }, [of("s1", "ultrawork")]: mode, [root("ralph")]: atWork },
      [
        [undefined, root("ralph")],
        ["s1", of("s1", "ultrawork")],
      ],
    ],
    [
      "other sessions too",
      { [pointer]: { session_id: "s1" }, [of("s1", "ralph")]: atWork, [of("s2", "ralph")]: atWork },
      [
        ["s1", of("s1", "ralph")],
        ["s2", of("s2", "ralph")],
      ],
    ],
    [
      "the root beside a session of ralph itself, which is not the other tool's",
      { [pointer]: { session_id: "20260125-143052-a7b3c9" }, [root("ralph")]: atWork },
      [[undefined, root("ralph")]],
    ],
    ["no other mode that rests", { [root("ultrawork")]: { active: false } }, []],
    ["no broken state", { [root("ralph")]: { ...atWork, current_phase: "canceled" } }, []],
  ])("reads %s", (_, files, expected) => {
    expect(omx.read(treeOf(files), now).map(({ id, path }) => [id, path])).toEqual(expected);
  });

  test("shows phase and iterations, newest first", () => {
    const tree = treeOf({
      [of("s1", "ralph")]: {
        ...atWork,
        active: false,
        current_phase: "fail",
        completed_at: now,
        stop_reason: "max_iterations_reached",
      },
      [of("s2", "ralph")]: { ...atWork, current_phase: "Verify", started_at: now },
      [of("s3", "team")]: { active: true, current_phase: "team-exec" },
      [of("s4", "ralph")]: { active: false },
    });
    expect(
      omx.read(tree, now).map(({ id, isActive, phase, detail }) => [id, isActive, phase, detail]),
    ).toEqual([
      ["s2", true, "verifying", "iteration 3 of 50"],
      ["s1", false, "failed", "iteration 3 of 50, max_iterations_reached"],
      ["s3", true, "executing", "team, team-exec"],
      ["s4", false, "cancelled", "ralph"],
    ]);
  });
});

describe("cancelling", () => {
  test("ends ralph: inactive, cancelled, with the time; unknown keys stay", () => {
    const files = { [root("ralph")]: { mode: "ralph", ...atWork, note: [1] } };
    expect(cancelled(files)).toEqual([
      [
        root("ralph"),
        {
          mode: "ralph",
          ...atWork,
          active: false,
          current_phase: "cancelled",
          completed_at: now,
          note: [1],
        },
      ],
    ]);
  });

  test("ends the team before ralph, which records its end, and the linked modes too", () => {
    const links = { linked_ultrawork: true, linked_ecomode: true, linked_team: true };
    const changed = cancelled({
      [root("ralph")]: { ...atWork, ...links },
      [root("ultrawork")]: mode,
      [root("ecomode")]: mode,
      [root("team")]: { ...mode, current_phase: "team-exec" },
      [root("autopilot")]: mode,
    });
    expect(paths(changed)).toEqual(["team", "ultrawork", "ecomode", "ralph"].map(root));
    for (const [, state] of changed) {
      expect(state).toMatchObject({
        active: false,
        current_phase: "cancelled",
        completed_at: now,
      });
    }
    expect(changed.at(-1)?.[1]).toMatchObject({
      linked_team_terminal_phase: "cancelled",
      linked_team_terminal_at: now,
    });
  });

  test("an ended team keeps its end, and ralph records it", () => {
    const changed = cancelled({
      [root("ralph")]: { ...atWork, linked_mode: "team" },
      [root("team")]: { active: false, current_phase: "completed", completed_at: started_at },
    });
    expect(paths(changed)).toEqual([root("ralph")]);
    expect(changed[0]?.[1]).toMatchObject({
      linked_team_terminal_phase: "complete",
      linked_team_terminal_at: started_at,
    });
  });

  test("where ralph does not work, ends all modes that do", () => {
    const changed = cancelled({
      [root("ralph")]: { active: false },
      [root("ultrawork")]: mode,
      [root("autopilot")]: mode,
      [root("team")]: { active: false },
    });
    expect(paths(changed).toSorted()).toEqual(["autopilot", "ultrawork"].map(root));
  });

  const several = {
    [pointer]: { session_id: "s1" },
    [of("s1", "ralph")]: { ...atWork, linked_ultrawork: true },
    [of("s1", "ultrawork")]: mode,
    [of("s2", "ralph")]: atWork,
    [of("s2", "ultrawork")]: mode,
    [root("ralph")]: atWork,
    [root("ultrawork")]: mode,
  };
  test.each<[string, string | undefined, string[]]>([
    ["the current session", undefined, [of("s1", "ultrawork"), of("s1", "ralph")]],
    ["the named session", "s2", [of("s2", "ralph")]],
    ["nobody of a name nobody has", "s3", []],
    ["nobody outside", "../..", []],
  ])("ends %s and no unrelated one", (_, id, expected) => {
    expect(paths(cancelled(several, id))).toEqual(expected);
  });

  test("leaves our own session alone where no name is given", () => {
    const own = "20260125-143052-a7b3c9";
    const files = { [pointer]: { session_id: own }, [of(own, "ralph")]: atWork };
    expect(cancelled(files)).toEqual([]);
    expect(paths(cancelled(files, own))).toEqual([of(own, "ralph")]);
  });

  test("leaves a broken state as it is, and one that has ended meanwhile", () => {
    expect(cancelled({ [root("ralph")]: { ...atWork, current_phase: "canceled" } })).toEqual([]);
    const [file] = omx.cancel(treeOf({ [root("ralph")]: atWork }), { id: undefined, now });
    if (!file || !("merge" in file)) throw new Error("unreachable");
    expect(file.merge(JSON.stringify({ active: false }))).toBeUndefined();
    expect(file.merge("{")).toBeUndefined();
    expect(file.merge(undefined)).toBeUndefined();
  });
});

describe("modes that exclude each other", () => {
  const told = (files: Files) =>
    omx.checkTree?.(treeOf(files)).map(({ file, severity, message }) => [file, severity, message]);

  test.each<[string, Files]>([
    ["one alone", { [root("autopilot")]: mode }],
    [
      "one at work and one that rests",
      { [root("ralph")]: atWork, [root("autopilot")]: { active: false } },
    ],
    [
      "one linked to the other",
      { [root("ralph")]: { ...atWork, linked_ultrawork: true }, [root("ultrawork")]: mode },
    ],
    ["two in different scopes", { [of("s1", "ralph")]: atWork, [of("s2", "autopilot")]: mode }],
    ["modes that help", { [root("ralph")]: atWork, [root("ecomode")]: mode }],
  ])("nothing is wrong with %s", (_, files) => {
    expect(told(files)).toEqual([]);
  });

  test("two active modes in a scope are one problem with a remedy", () => {
    expect(told({ [root("ralph")]: atWork, [root("autopilot")]: mode })).toEqual([
      [
        root("ralph"),
        "error",
        `must be false: autopilot is active too (${root("autopilot")}), and only one of the two may be; end them with \`ralph cancel\``,
      ],
    ]);
  });

  test("three active modes are two problems", () => {
    const files = { [root("ralph")]: atWork, [root("autopilot")]: mode, [root("ultrawork")]: mode };
    expect(told(files)?.map(([file]) => file)).toEqual([root("autopilot"), root("ralph")]);
  });
});
