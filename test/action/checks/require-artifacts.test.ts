import { expect, test } from "vitest";
import { requireArtifacts } from "../../../src/action/checks/checks.ts";
import { stepContext } from "../../support/action/step.ts";
import { createTestSystem } from "../../support/project/system.ts";

const rows: [server: string, inputs: Record<string, string>, isRefused: boolean][] = [
  ["https://github.com", {}, false],
  ["https://octo.ghe.com", {}, false],
  ["http://127.0.0.1:3000", {}, false],
  ["https://github.com.example.org", {}, true],
  ["https://ghe.example.com", {}, true],
  ["https://ghe.example.com", { "session-artifact": "false" }, false],
  ["https://ghe.example.com", { "dry-run": "true" }, false],
];

test.each(rows)("a job on %s with %j keeps its session, or is refused: %s", async (...row) => {
  const [server, inputs, isRefused] = row;
  await using system = await createTestSystem({ env: { GITHUB_SERVER_URL: server } });
  const check = () => requireArtifacts(stepContext(system, { inputs }));
  if (isRefused) expect(check).toThrow(/is a GitHub Enterprise Server/);
  else expect(check).not.toThrow();
});
