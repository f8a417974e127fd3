import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentVersions } from "../../../src/session/begin-session.ts";
import { configWith } from "../../support/builders/config.ts";
import { createTestSystem } from "../../support/project/system.ts";

async function versionsOf(agents: object, env: Record<string, string> = {}) {
  await using system = await createTestSystem({ env });
  const program = join(system.root, "agent");
  writeFileSync(program, "#!/bin/sh\necho 2.1.329\n");
  chmodSync(program, 0o755);
  const roles = Object.entries(agents).map(([role, driver]) => [
    role,
    { driver, command: "./agent" },
  ]);
  return await agentVersions(system, {
    config: configWith({ agents: Object.fromEntries(roles) }),
    root: system.root,
  });
}

test("every driver that is called is named once with its program's version", async () => {
  const agents = { implementation: "claude", test_writing: "codex", review: "claude" };
  expect(await versionsOf(agents)).toEqual({ claude: "2.1.329", codex: "2.1.329" });
});

test("a program without a version and a replacement are not named", async () => {
  const agents = { implementation: "command", test_writing: "claude", review: "claude" };
  expect(await versionsOf(agents, { RALPH_CLAUDE_CMD: "rm -r /tmp/never" })).toEqual({});
});
