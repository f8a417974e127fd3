import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { Store } from "../../../app/store/notes.ts";
import { openStore, type StorePlace } from "../../../app/store/open-store.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import { runsAll } from "../../setup/sampled.ts";
import { startPostgres } from "../../support/app/postgres.ts";
import { job, takeOne } from "../../support/contracts/store.ts";
import { createTestFolder } from "../../support/project/system.ts";

const system = createSystem();
const quiet = () => undefined;
const open = (place: StorePlace) => openStore(system, place, quiet);
const note = { kind: "run", id: "r1", repository: "7", at: 5, data: { words: "Kept." } } as const;

/** Work and notes, then a copy of them while the store is in use, as the guide for operators says. */
async function fillAndCopy(store: Store, copy: () => Promise<unknown>): Promise<void> {
  await store.notes.put(note);
  await store.queue.add([job("work:7", "before")]);
  await copy();
  await store.notes.put({ ...note, data: { words: "Later." } });
  await store.queue.add([job("work:8", "after")]);
}

async function expectRestored(store: Store): Promise<void> {
  expect(await store.notes.get("run", "r1")).toEqual(note);
  expect((await takeOne(store.queue)).data).toBe("before");
  expect(await store.queue.take()).toBeUndefined();
}

test("a copy of the embedded database that was made while the App ran is restored as it was", async () => {
  await using folder = await createTestFolder();
  const place = (name: string) => ({
    databaseUrl: undefined,
    dataFolder: `${folder.path}/${name}`,
  });
  await using store = await open(place("data"));
  mkdirSync(`${folder.path}/restored`);
  await fillAndCopy(store, async () => {
    using db = new DatabaseSync(`${folder.path}/data/ralph.sqlite`);
    await backup(db, `${folder.path}/restored/ralph.sqlite`);
  });
  await using restored = await open(place("restored"));
  await expectRestored(restored);
});

const postgres = await (runsAll ? startPostgres() : undefined);
if (runsAll && !postgres) console.info("skipped: a dump of PostgreSQL, which is not installed");

test.skipIf(!postgres)("a dump of PostgreSQL is loaded into an empty database", async () => {
  await using server = postgres;
  await using folder = await createTestFolder();
  const url = server?.url ?? "";
  const dump = `${folder.path}/dump.sql`;
  await using store = await open({ databaseUrl: url, dataFolder: "" });
  const run = (file: string, args: string[]) => promisify(execFile)(file, args);
  await fillAndCopy(store, () => run("pg_dump", ["--file", dump, url]));
  await run("psql", ["--quiet", "--command", "create database restored", url]);
  const other = url.replace(/\/postgres$/, "/restored");
  await run("psql", ["--quiet", "--set", "ON_ERROR_STOP=1", "--file", dump, other]);
  await using restored = await open({ databaseUrl: other, dataFolder: "" });
  await expectRestored(restored);
});
