import { expect, test } from "vitest";
import { webhookPath } from "../../../app/settings/settings.ts";
import { retryPolicy } from "../../../app/store/queue.ts";
import { sampled } from "../../setup/sampled.ts";
import { ada, startTestApp } from "../../support/app/running-app.ts";

const statuses = sampled([301, 404, 410, 422, 451], 1);
const minuteMs = 60_000;
const issue = { number: 12, state: "open", updated_at: "2026-01-20T10:00:00Z", user: ada };
const labelled = { action: "labeled", issue, label: { name: "ralph" } };

type Line = { event?: string; kind?: string; outcome?: string; attempt?: number; err?: object };

/** Lets hours pass for an App on a GitHub that answers everything with one status; the lines of its log about the event. */
async function outlast(status: number): Promise<{ lines: Line[]; health: number; ready: number }> {
  let aheadMs = 0;
  const lines: Line[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  const app = await startTestApp({ aheadMs: () => aheadMs, write, hasOddAnswers: true });
  app.github.always = { status, body: { message: `Answer ${status}` } };
  await app.send("issues", labelled);
  const { queue } = app.store;
  const isLeft = async () => {
    const groups = ["deliveries:7", "work:7"];
    const [ready, active] = await Promise.all([
      queue.list({ state: "ready", groups, limit: 9 }),
      queue.list({ state: "active", groups, limit: 9 }),
    ]);
    if (active.length === 0) aheadMs += 11 * minuteMs;
    return [...ready, ...active].some(({ kind }) => kind === "delivery" || kind === "start");
  };
  await expect.poll(isLeft).toBe(false);
  const health = await fetch(app.hook.replace(webhookPath, "/healthz"));
  const ready = await fetch(app.hook.replace(webhookPath, "/readyz"));
  return { lines, health: health.status, ready: ready.status };
}

test(`a GitHub that answers every request with one of ${statuses.join(", ")} ends no App and keeps no job going for ever, and the log says it`, async () => {
  const ended = await Promise.all(statuses.map(outlast));
  for (const [index, { lines, health, ready }] of ended.entries()) {
    const status = statuses[index];
    expect([status, health, ready]).toEqual([status, 200, 200]);
    const attempts = lines.filter(({ event, kind }) => event === "job" && kind === "delivery");
    expect(attempts.length, `attempts at ${status}`).toBeLessThanOrEqual(retryPolicy.attempts);
    expect(["done", "dead"], `end at ${status}`).toContain(attempts.at(-1)?.outcome);
    const failures = lines.filter(({ err }) => err !== undefined);
    expect(JSON.stringify(failures), `log at ${status}`).toMatch(
      new RegExp(`Answer ${status}|"status":${status}|out of the App's reach`),
    );
  }
});
