import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  readSteering,
  withBudgetCommand,
  withHints,
} from "../../../src/action/inputs/steering-comments.ts";
import { downloadStep } from "../../../src/action/steps/download-step.ts";
import type { SteeringCommand } from "../../../src/core/state/steering-command.ts";
import { stepContext } from "../../support/action/step.ts";
import { createFakeGitHub } from "../../support/github/fake-github.ts";
import { addressOf, inFakeTime } from "../../support/github/fake-time.ts";
import { createTestSystem } from "../../support/project/system.ts";

const hint: SteeringCommand = { verb: "hint", text: "Use tabs.", comment: 7, by: "ada" };
const budget = (usd: number): SteeringCommand => ({ verb: "budget", usd, comment: 8, by: "ada" });

async function createPlace() {
  const system = await createTestSystem();
  return { ...system, env: { RUNNER_TEMP: system.root } };
}

test("the step without the token gets the commands of writers that the one with it has read", async () => {
  const fake = createFakeGitHub({ repository: "octo/known" });
  fake.state.permissions.ada = { permission: "write", role_name: "write" };
  for (const [id, login] of [
    [7, "ada"],
    [8, "eve"],
  ] as const) {
    const user = { login, type: "User" } as const;
    const body = "/ralph hint Use tabs.";
    fake.state.comments.push({ id, issue: 12, html_url: "https://g/1", body, user });
  }
  await using system = await createTestSystem({
    env: { GITHUB_API_URL: addressOf(fake), GITHUB_REPOSITORY: "octo/known" },
  });
  const here = { ...system, env: { ...system.env, RUNNER_TEMP: system.root } };
  const context = stepContext(here, { inputs: { orders: "7,8" }, handed: "t0ken" });
  await inFakeTime([fake], () => downloadStep(context));
  expect(await readSteering(here, context.inputs)).toEqual({
    orders: [hint],
    dropped: [expect.stringContaining("Comment 8 is ignored: eve has no write access")],
  });
});

test("without the input no file is read", async () => {
  await using place = await createPlace();
  expect(await readSteering(place, { orders: undefined })).toEqual({ orders: [], dropped: [] });
  await expect(readSteering(place, { orders: [7] })).rejects.toThrow(
    "No earlier step has read the comments",
  );
});

test.each(["{}", '{"orders":[{"verb":"run"}],"dropped":[]}', '{"orders":[],"dropped":[1]}'])(
  "%s is rejected",
  async (text) => {
    await using place = await createPlace();
    await place.files(place.root).write("ralph-known/orders.json", "{}");
    writeFileSync(join(place.root, "ralph-known/orders.json"), text);
    await expect(readSteering(place, { orders: [7] })).rejects.toThrow();
  },
);

test("the last budget command overrides the input", async () => {
  await using place = await createPlace();
  const context = stepContext(place, { inputs: { "budget-usd": "3" }, handed: "" });
  const money = (orders: SteeringCommand[]) =>
    withBudgetCommand(context, { orders, dropped: [] }).inputs["budget-usd"];
  expect([money([hint]), money([budget(5), hint, budget(7.5)])]).toEqual([3, 7.5]);
});

test("hints are appended to the issue a run plans from; an empty issue stays empty", () => {
  const issue = { number: 7, title: "A", author: "eve", url: "https://g/7", body: "text\n" };
  const read = (body: string) =>
    withHints({ pulls: [], issue: { ...issue, body } }, { orders: [budget(1), hint], dropped: [] });
  expect(read("text\n").issue?.body).toBe("text\n\n## Hints of maintainers\n\n- ada: Use tabs.");
  expect(read(" ").issue?.body).toBe(" ");
});
