import { expect, test } from "vitest";
import {
  type ActorKind,
  mayTrigger,
  type Permission,
  type Trigger,
} from "../../../app/rules/authority.ts";

const actors = [
  "user",
  "bot-named-user",
  "self",
  "listed-bot",
  "actions-bot",
  "other-bot",
  "suffixless-app",
  "organization",
  "mannequin",
  "ghost",
  "unknown",
  "unreachable",
] as const satisfies ActorKind[];
const permissions = [
  "admin",
  "maintain",
  "write",
  "triage",
  "read",
] as const satisfies Permission[];

/** The columns of the table. */
const triggers = [
  "label",
  "autopilot-label",
  "start-command",
  "steer-command",
  "look-command",
  "report-push",
  "dashboard",
  "schedule",
] as const satisfies Trigger[];

/** Written down cell by cell, not computed by the rule under test: `A` may, `.` may not; one column a permission. */
const table: Record<ActorKind, string> = {
  //                label autop start steer look  push  dash  sched
  user: "AAA.. AAA.. AAA.. AAA.. AAA.. AAA.. AAA.. AAAAA",
  "bot-named-user": "AAA.. AAA.. AAA.. AAA.. AAA.. AAA.. AAA.. AAAAA",
  self: "..... ..... ..... ..... ..... ..... ..... AAAAA",
  "listed-bot": "AAA.. AAA.. ..... ..... ..... AAA.. ..... AAAAA",
  "actions-bot": "..... ..... ..... ..... ..... ..... ..... AAAAA",
  "other-bot": "..... ..... ..... ..... ..... ..... ..... AAAAA",
  "suffixless-app": "..... ..... ..... ..... ..... ..... ..... AAAAA",
  organization: "..... ..... ..... ..... ..... ..... ..... AAAAA",
  mannequin: "..... ..... ..... ..... ..... ..... ..... AAAAA",
  ghost: "..... ..... ..... ..... ..... ..... ..... AAAAA",
  unknown: "..... ..... ..... ..... ..... ..... ..... AAAAA",
  unreachable: "..... ..... ..... ..... ..... ..... ..... AAAAA",
};

type Cell = [ActorKind, Trigger, Permission, boolean];
const cells = actors.flatMap((actor): Cell[] =>
  table[actor].split(" ").flatMap((columns, trigger): Cell[] =>
    permissions.map((permission, column): Cell => {
      const name = triggers[trigger];
      if (!name) throw new Error("The table has more columns than there are triggers.");
      return [actor, name, permission, columns[column] === "A"];
    }),
  ),
);

test("the table has its 480 cells", () => {
  expect(cells).toHaveLength(480);
});

test.each(cells)("%s, %s, %s", (actor, trigger, permission, isAllowed) => {
  const verdict = mayTrigger(trigger, { actor, permission });
  expect(verdict.kind).toBe(isAllowed ? "allowed" : "denied");
  if (verdict.kind === "denied") expect(verdict.because).toMatch(/\w/);
});
