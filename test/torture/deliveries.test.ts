import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir } from "node:fs/promises";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { webhookPath } from "../../app/settings/settings.ts";
import { deliver } from "../support/app/deliveries.ts";
import { startPostgres } from "../support/app/postgres.ts";
import { createRandom } from "../support/github/fake-faults.ts";
import { createTestFolder } from "../support/project/system.ts";
import { amount } from "../support/torture/amount.ts";

const total = amount(2000, 10_000);
const kills = amount(4, 10);
const sockets = 50;
const program = new URL("../support/app/delivery-child.ts", import.meta.url).pathname;

type Child = { process: ChildProcess; port: string };

async function start(folder: string, port: string, databaseUrl?: string): Promise<Child> {
  const env = { ...process.env, ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
  const child = spawn(process.execPath, [program, folder, port], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  return { process: child, port: line };
}

const engines: [string, () => Promise<{ url?: string } & AsyncDisposable>][] = [
  ["the embedded store", async () => ({ [Symbol.asyncDispose]: async () => undefined })],
  [
    "PostgreSQL",
    async () => {
      const server = await startPostgres();
      if (!server) throw new Error("No PostgreSQL server is installed.");
      return server;
    },
  ],
];

test.for(engines)(
  "%s: deliveries, a fifth of them sent twice, shuffled, with kills: none lost, none done twice",
  { timeout: 900_000 },
  async ([name, open], { task: { meta } }) => {
    await using database = await open();
    await using folder = await createTestFolder();
    await mkdir(`${folder.path}/effects`);
    const random = createRandom(7);
    const ids = Array.from({ length: total }, () => randomUUID());
    const twice = [...ids, ...ids.filter(() => random() < 0.2)];
    const queue = twice
      .map((id) => [random(), id] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, id]) => id);
    let child = await start(folder.path, "0", database.url);
    // It ends before its database does, which it would report.
    using _ = { [Symbol.dispose]: () => void child.process.kill("SIGKILL") };
    const { port } = child;
    const hook = `http://127.0.0.1:${port}${webhookPath}`;
    const killAt = new Set(
      Array.from({ length: kills }, (_, k) => ((k + 1) * total) / (kills + 1)),
    );
    let acknowledged = 0;
    let restarting: Promise<void> = Promise.resolve();
    const restart = async () => {
      child.process.kill("SIGKILL");
      await once(child.process, "exit");
      child = await start(folder.path, port, database.url);
    };
    /** As GitHub does when somebody asks for it: again, under the same id, until it is acknowledged. */
    const send = async (id: string) => {
      const body = JSON.stringify({ action: "labeled", repository: { id: id.charCodeAt(0) }, id });
      for (;;) {
        await restarting;
        const answer = await deliver(hook, { id, body }).catch(() => undefined);
        if (answer?.status === 202) break;
      }
      acknowledged += 1;
      if (killAt.delete(acknowledged) || (killAt.size > 0 && acknowledged > Math.min(...killAt))) {
        killAt.delete(Math.min(...killAt));
        restarting = restarting.then(restart);
      }
    };
    await Promise.all(
      Array.from({ length: sockets }, async () => {
        for (let id = queue.pop(); id; id = queue.pop()) await send(id);
      }),
    );
    await restarting;
    const ready = () => fetch(`http://127.0.0.1:${port}/readyz`).then((answer) => answer.text());
    await expect.poll(ready, { timeout: 600_000, interval: 1000 }).toBe("ready, 0 jobs wait\n");
    await expect
      .poll(async () => (await readdir(`${folder.path}/effects`)).length, { timeout: 120_000 })
      .toBe(total);
    const effects = await readdir(`${folder.path}/effects`);
    expect(effects.toSorted()).toEqual(ids.toSorted());
    meta.figure = `${name}: ${twice.length} deliveries, ${kills} kills, ${effects.length} effects`;
  },
);
