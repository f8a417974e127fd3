import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { type DeliveryAttempt, lostDeliveries } from "../../../app/recovery/recover-deliveries.ts";
import { deliver } from "../../support/app/deliveries.ts";
import type { SentHook } from "../../support/app/github.ts";
import { base, eventually, settled, startTestApp } from "../../support/app/running-app.ts";

let ids = 100;
const sent = (guid: string, code: number, minute: number, event = "issues"): DeliveryAttempt => ({
  ...{ id: ids++, guid, event, status_code: code },
  delivered_at: new Date(Date.UTC(2026, 0, 20, 10, minute)).toISOString(),
});

const rows: [what: string, given: DeliveryAttempt[], lost: string[]][] = [
  ["arrived", [sent("a", 202, 1)], []],
  ["no server listened", [sent("a", 0, 1)], ["a"]],
  ["refused by a proxy", [sent("a", 502, 1), sent("b", 504, 2)], ["a", "b"]],
  ["lost, then redelivered", [sent("a", 502, 1), sent("a", 202, 2)], []],
  ["the second answer was lost", [sent("a", 202, 1), sent("a", 502, 2)], []],
  ["lost twice, redelivered once", [sent("a", 502, 1), sent("a", 502, 2)], ["a"]],
  ["refused as malformed", [sent("a", 400, 1), sent("b", 413, 1)], []],
  ["a secret that was wrong for a while", [sent("a", 401, 1)], ["a"]],
  ["nothing listens to the event", [sent("a", 502, 1, "star")], []],
  ["the oldest comes first", [sent("b", 502, 9), sent("a", 502, 3)], ["a", "b"]],
];

test.each(rows)("lost deliveries: %s", (_, given, lost) => {
  expect(lostDeliveries(given).map(({ guid }) => guid)).toEqual(lost);
});

test("the newest of several attempts is redelivered", () => {
  const [first, second] = [sent("a", 502, 1), sent("a", 502, 2)];
  expect(lostDeliveries([second, first])).toEqual([second]);
});

test("deliveries from while the App was stopped are handled after its start, once", async () => {
  const lost = Array.from({ length: 50 }, (_, index): SentHook => {
    const body = JSON.stringify({
      ...{ ...base, action: "created" },
      issue: { number: 1, state: "open", updated_at: "2026-01-20T10:00:00Z" },
      comment: { id: 1000 + index, body: "/ralph status", user: { ...base.sender, id: 6 } },
    });
    const delivered_at = new Date(Date.now() - 3_600_000 + index).toISOString();
    const event = "issue_comment";
    return { id: index + 1, guid: randomUUID(), delivered_at, status_code: 502, event, body };
  });
  let hook = "";
  const arrived: string[] = [];
  const app = await startTestApp({
    prepare: ({ github }) => {
      github.hook.sent.push(...lost);
      github.hook.again = ({ guid: id, body, event }) => {
        arrived.push(id);
        deliver(hook, { id, body, event }).then(({ status: status_code }) => {
          const delivered_at = new Date().toISOString();
          const next = 1000 + github.hook.sent.length;
          github.hook.sent.push({ id: next, guid: id, delivered_at, status_code, event, body });
        });
      };
    },
    started: (address) => {
      hook = address;
    },
  });
  await eventually(() => expect(arrived).toHaveLength(50));
  await settled(app.store);
  const ends = await Promise.all(lost.map(({ guid }) => app.store.queue.add([again(guid)])));
  // Every job is done.
  expect(ends).toEqual(lost.map(() => 0));
  expect(new Set(arrived).size).toBe(50);
});

const again = (id: string) => ({ id, kind: "delivery", group: "x", data: {} });
