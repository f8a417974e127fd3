import { expect, test } from "vitest";
import { recheckJob } from "../../../app/jobs/new-job.ts";
import { thorough } from "../../setup/sampled.ts";
import {
  answers,
  runsOf,
  say,
  sent,
  startCommented,
  thread,
} from "../../support/app/commented-app.ts";
import { eventually, place, settled } from "../../support/app/running-app.ts";

thorough("a waiting run starts even if GitHub refuses the first attempts", async () => {
  let refusals = 2;
  const more = (asked: string) =>
    asked.endsWith("/dispatches") && refusals-- > 0 ? { status: 502, body: {} } : undefined;
  const app = await startCommented({ more });
  await say(app, "/ralph pause");
  await app.send("issues", { action: "labeled", issue: thread, label: { name: "ralph" } });
  await settled(app.store);
  expect(await runsOf(app)).toMatchObject([{ state: "waiting" }]);
  await say(app, "/ralph resume");
  await eventually(() => expect(sent(app)).toHaveLength(1));
  await settled(app.store);
  expect(await runsOf(app)).toMatchObject([{ state: "started" }]);
});

test("a run that waits is logged once for each reason, however often it is looked at", async () => {
  const lines: string[] = [];
  const app = await startCommented({ write: (line) => lines.push(line) });
  // One may have a pull request at a time.
  for (const number of [7, 8]) {
    const issue = { ...thread, number };
    await app.send("issues", { action: "labeled", issue, label: { name: "ralph" } });
    await settled(app.store);
  }
  await app.store.queue.add([recheckJob(place, "once"), recheckJob(place, "again")]);
  await settled(app.store);
  const waiting = lines.filter((line) => line.includes('"event":"run-waiting"'));
  expect(waiting).toHaveLength(1);
});

test("a label or command for an issue with a run starts nothing, now or later, and keeps that run's comment", async () => {
  const app = await startCommented();
  await say(app, "/ralph run");
  expect(sent(app)).toHaveLength(1);
  const [first] = answers(app);
  await app.send("issues", { action: "labeled", issue: thread, label: { name: "ralph" } });
  await settled(app.store);
  await say(app, "/ralph run");
  expect(answers(app)).toEqual([first, expect.stringContaining("under way or waiting")]);
  expect(app.github.removedLabels).toEqual(["ralph"]);
  expect(await runsOf(app)).toMatchObject([{ state: "started" }]);
});
