import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readKnownOrders, steeredBy, withHints } from "../../../src/action/inputs/known-orders.ts";
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

test("what the step with the token has read, the one without finds, and nobody else's words", async () => {
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
  expect(await readKnownOrders(here, context.inputs)).toEqual({
    orders: [hint],
    dropped: [expect.stringContaining("Comment 8 is not heard: eve has no right")],
  });
});

test("without comments there is nothing to be read, whatever lies there", async () => {
  await using place = await createPlace();
  expect(await readKnownOrders(place, { orders: undefined })).toEqual({ orders: [], dropped: [] });
  await expect(readKnownOrders(place, { orders: [7] })).rejects.toThrow("were not read before");
});

test.each(["{}", '{"orders":[{"verb":"run"}],"dropped":[]}', '{"orders":[],"dropped":[1]}'])(
  "%s is not believed",
  async (text) => {
    await using place = await createPlace();
    await place.files(place.root).write("ralph-known/orders.json", "{}");
    writeFileSync(join(place.root, "ralph-known/orders.json"), text);
    await expect(readKnownOrders(place, { orders: [7] })).rejects.toThrow();
  },
);

test("the last word about money is above what the workflow's file says", async () => {
  await using place = await createPlace();
  const context = stepContext(place, { inputs: { "budget-usd": "3" }, handed: "" });
  const money = (orders: SteeringCommand[]) =>
    steeredBy(context, { orders, dropped: [] }).inputs["budget-usd"];
  expect([money([hint]), money([budget(5), hint, budget(7.5)])]).toEqual([3, 7.5]);
});

test("who plans from an issue reads the hints below it; an empty issue stays empty", () => {
  const issue = { number: 7, title: "A", author: "eve", url: "https://g/7", body: "text\n" };
  const read = (body: string) =>
    withHints({ pulls: [], issue: { ...issue, body } }, { orders: [budget(1), hint], dropped: [] });
  expect(read("text\n").issue?.body).toBe("text\n\n## Hints of maintainers\n\n- ada: Use tabs.");
  expect(read(" ").issue?.body).toBe(" ");
});
