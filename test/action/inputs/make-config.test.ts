import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeConfigFor } from "../../../src/action/inputs/make-config.ts";
import { parseConfig } from "../../../src/sources/config-file.ts";
import { createTestSystem } from "../../support/project/system.ts";

/** The base branch of what is made for an empty project, when a workflow is started by this event. */
async function baseBranch(event: string | undefined): Promise<string> {
  await using system = await createTestSystem();
  const path = join(system.root, "event.json");
  if (event !== undefined) writeFileSync(path, event);
  const env = event === undefined ? {} : { GITHUB_EVENT_PATH: path };
  const text = await makeConfigFor({ ...system, env })(system.files(system.root));
  return parseConfig(Buffer.from(text), "ralph.yml").config.git.base_branch;
}

test("the base branch is the repository's default branch", async () => {
  expect(await baseBranch('{"repository":{"default_branch":"trunk"}}')).toBe("trunk");
});

test.each([undefined, "{}", "null", '{"repository":{"default_branch":""}}'])(
  "with an event (%s) that does not name it, it is main",
  async (event) => {
    expect(await baseBranch(event)).toBe("main");
  },
);
