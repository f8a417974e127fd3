import { expect, test } from "vitest";
import { startAppProcess } from "../../.github/scripts/bench/app/app-process.ts";
import { isMeasured } from "../setup/sampled.ts";
import { webhookSecret } from "../support/app/deliveries.ts";
import { startAppGitHub } from "../support/app/github.ts";
import { besiege } from "../support/app/hostile-http.ts";
import { createTestFolder } from "../support/project/system.ts";

// In full size: `npm run bench -- --only app`.
test("malformed requests, unsigned megabytes and slow sockets neither end the App nor exhaust its memory, and good deliveries are stored", async ({
  task: { meta },
}) => {
  await using folder = await createTestFolder();
  await using github = await startAppGitHub();
  await using app = await startAppProcess({
    ...{ APP_ID: "1", PRIVATE_KEY: github.privateKey, WEBHOOK_SECRET: webhookSecret, PORT: "0" },
    ...{ GHE_HOST: new URL(github.server.url).host, GHE_PROTOCOL: "http" },
    RALPH_DATA_DIR: `${folder.path}/data`,
  });
  const before = app.residentMb();
  const given = { url: app.url, malformed: 200, slowSockets: 50, bodyBytes: 30 * 1024 * 1024 };
  const { goodMs } = await besiege(given);
  meta.figure = `${given.malformed} malformed requests, ${given.slowSockets} slow sockets; good deliveries at most ${Math.round(Math.max(...goodMs))} ms`;
  expect(goodMs.length).toBeGreaterThan(10);
  if (isMeasured) expect(Math.max(...goodMs)).toBeLessThan(5000);
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
  // Unknown without /proc.
  if (!Number.isNaN(before)) expect(app.residentMb() - before).toBeLessThan(64);
});
