import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  readerOfFacts,
  readHandoff,
  writeHandoff,
} from "../../../src/action/inputs/step-handoff.ts";
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

test("a later step gets the facts an earlier one has read", async () => {
  await using place = await createPlace();
  const request = createWorkRequest({
    ...{ command: "run", item: "issue-7", issue: 7, trigger: "label" },
  });
  await writeHandoff(place, "facts.json", { pulls: [pull], issue, request });
  const facts = await readHandoff(place, "facts.json");
  expect(facts.request).toEqual(request);
  const outside = readerOfFacts(facts);
  expect(await outside.pulls()).toEqual([pull]);
  expect(await outside.issue(7)).toEqual(issue);
});

test("an issue that no step has read is an error, not another issue", async () => {
  await using place = await createPlace();
  await writeHandoff(place, "facts.json", { pulls: [], issue });
  const outside = readerOfFacts(await readHandoff(place, "facts.json"));
  await expect(outside.issue(8)).rejects.toThrow("No earlier step has read issue 8.");
});

test("without the file the step fails with a reason", async () => {
  await using place = await createPlace();
  await expect(readHandoff(place, "facts.json")).rejects.toThrow(
    "No earlier step has read the facts",
  );
});

test.each(["{}", '{"pulls":[{}]}', '{"pulls":[],"issue":{"number":"7"}}', '{"pulls":[],"more":1}'])(
  "%s is rejected",
  async (text) => {
    await using place = await createPlace();
    await writeHandoff(place, "facts.json", { pulls: [] });
    writeFileSync(join(place.root, "ralph-known/facts.json"), text);
    await expect(readHandoff(place, "facts.json")).rejects.toThrow();
  },
);
