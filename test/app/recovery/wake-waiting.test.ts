import { expect, test } from "vitest";
import {
  answers,
  runsOf,
  say,
  sent,
  startCommented,
  thread,
} from "../../support/app/commented-app.ts";
import { eventually, settled } from "../../support/app/running-app.ts";

test("a waiting run starts even if GitHub refuses the first attempts", async () => {
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
}, 60_000);

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
}, 60_000);
