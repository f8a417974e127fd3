import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  knownOutside,
  readKnownFacts,
  writeKnownFacts,
} from "../../../src/action/inputs/known-facts.ts";
import { createWorkRequest } from "../../../src/schema/work-request.ts";
import { createTestSystem } from "../../support/project/system.ts";

const pull = {
  ...{ run: "20260120-100000-abc123", item: "x", report: "y", number: 3, url: "https://g/3" },
  ...{ title: "Ralph: x", state: "merged" as const, mergedAt: "2026-01-20T10:00:00Z" },
};
const issue = { number: 7, title: "A\n# B", author: "ghost", url: "https://g/7", body: "text" };

async function createPlace() {
  const system = await createTestSystem();
  return { ...system, env: { RUNNER_TEMP: system.root } };
}

test("what one step has read is what the next one is answered", async () => {
  await using place = await createPlace();
  const request = createWorkRequest({
    ...{ command: "run", item: "issue-7", issue: 7, trigger: "label" },
  });
  await writeKnownFacts(place, { pulls: [pull], issue, request });
  const facts = await readKnownFacts(place);
  expect(facts.request).toEqual(request);
  const outside = knownOutside(facts);
  expect(await outside.pulls()).toEqual([pull]);
  expect(await outside.issue(7)).toEqual(issue);
});

test("an issue that was not read is not answered by another one", async () => {
  await using place = await createPlace();
  await writeKnownFacts(place, { pulls: [], issue });
  const outside = knownOutside(await readKnownFacts(place));
  await expect(outside.issue(8)).rejects.toThrow("Issue 8 was not read before.");
});

test("without the file the step says why it cannot begin", async () => {
  await using place = await createPlace();
  await expect(readKnownFacts(place)).rejects.toThrow("was not read before this step");
});

test("facts of an earlier version say in other words what was asked for", async () => {
  await using place = await createPlace();
  await writeKnownFacts(place, { pulls: [] });
  const read = async (wish: object) => {
    writeFileSync(join(place.root, "ralph-known/facts.json"), JSON.stringify({ pulls: [], wish }));
    return (await readKnownFacts(place)).request;
  };
  expect(await read({ issue: 7, among: false, again: true })).toEqual({
    ...{ command: "run", item: "issue-7", issue: 7 },
    ...{ overridesRejection: true, trigger: "start-command" },
  });
  expect(await read({ issue: 7, among: true, again: false })).toEqual({
    ...{ command: "autopilot", item: "reports", issue: 7, alternativeIssue: 7 },
    ...{ overridesRejection: false, trigger: "label" },
  });
});

test.each(["{}", '{"pulls":[{}]}', '{"pulls":[],"issue":{"number":"7"}}', '{"pulls":[],"more":1}'])(
  "%s is not believed",
  async (text) => {
    await using place = await createPlace();
    await writeKnownFacts(place, { pulls: [] });
    writeFileSync(join(place.root, "ralph-known/facts.json"), text);
    await expect(readKnownFacts(place)).rejects.toThrow();
  },
);
