import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { migrateStore } from "../../../app/store/migrate-store.ts";
import type { Note } from "../../../app/store/notes.ts";
import { openStore, type StorePlace } from "../../../app/store/open-store.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import { runsAll } from "../../setup/sampled.ts";
import { startPostgres } from "../../support/app/postgres.ts";
import { place } from "../../support/app/running-app.ts";
import { dispatchedRun } from "../../support/app/runs.ts";
import { createTestFolder } from "../../support/project/system.ts";

const system = createSystem();
const quiet = () => undefined;
const postgres = await (runsAll ? startPostgres() : undefined);
afterAll(async () => postgres?.[Symbol.asyncDispose]());

const run = dispatchedRun();
const job = { id: "6a1f5a0c-0000-4000-8000-000000000001", kind: "wake", data: { place } };
const note = (kind: Note["kind"], id: string, data: unknown): Note => ({
  ...{ kind, id, repository: "7", at: 1, data },
});

async function fill(where: StorePlace): Promise<void> {
  await using store = await openStore(system, where, quiet);
  await store.notes.put(note("repository", "7", { place, isPaused: true }));
  await store.notes.put(note("run", run.id, run));
  await store.notes.put(note("orders", "7#12", [{ comment: 1, verb: "hint" }]));
  await store.notes.put(note("cancel", run.id, {}));
  await store.queue.add([{ ...job, group: "work:7" }]);
}

async function look(where: StorePlace): Promise<string[]> {
  await using store = await openStore(system, where, quiet);
  const kinds = ["repository", "run", "orders", "cancel"] as const;
  const lists = await Promise.all(kinds.map((kind) => store.notes.list({ kind, limit: 9 })));
  return lists.flat().map(({ kind, id, repository }) => `${kind} ${id} of ${repository}`);
}

const byId = [
  "repository 7 of 7",
  `run ${run.id} of 7`,
  "orders 7#12 of 7",
  `cancel ${run.id} of 7`,
];

async function embedded(): Promise<StorePlace> {
  const folder = await createTestFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  return { databaseUrl: undefined, dataFolder: `${folder.path}/data` };
}

const shared = async (): Promise<StorePlace> => ({ databaseUrl: postgres?.url, dataFolder: "" });

describe.each([
  ["the embedded store", embedded, true],
  ["the store on PostgreSQL", shared, postgres !== undefined],
] as const)("%s", (_, open, isThere) => {
  test.skipIf(!isThere)("goes back to names and forward to ids, and loses nothing", async () => {
    const where = await open();
    await fill(where);
    await migrateStore(system, where, 1);
    // The version before creates no version of its own and opens this as it is; opening it here goes forward again.
    expect(await look(where)).toEqual(byId);
    await using store = await openStore(system, where, quiet);
    const [ready] = await store.queue.list({ state: "ready", groups: ["work:7"], limit: 9 });
    expect(ready).toMatchObject({ id: job.id });
  });
});

test("for the version before, everything is under the repository's name", async () => {
  const where = await embedded();
  await fill(where);
  await migrateStore(system, where, 1);
  using db = new DatabaseSync(`${where.dataFolder}/ralph.sqlite`);
  const rows = db.prepare("select kind, id, repository from note order by kind").all();
  expect(rows.map(({ kind, id, repository }) => [kind, id, repository])).toEqual([
    ["cancel", run.id, "octo/example"],
    ["orders", "octo/example#12", "octo/example"],
    ["repository", "octo/example", "octo/example"],
    ["run", run.id, "octo/example"],
  ]);
  expect(db.prepare("select grp from job").all()).toMatchObject([{ grp: "work:octo/example" }]);
});

test("a store that was migrated halfway is migrated whole", async () => {
  const where = await embedded();
  await fill(where);
  await migrateStore(system, where, 1);
  const db = new DatabaseSync(`${where.dataFolder}/ralph.sqlite`);
  db.exec("update note set repository = '7' where kind = 'run'");
  db.exec("update job set grp = 'work:7'");
  db.close();
  expect(await look(where)).toEqual(byId);
});

const refusals: [string, (db: DatabaseSync) => void, RegExp][] = [
  [
    "of a later version",
    (db) => db.exec("pragma user_version = 3"),
    /version 3 .* knows version 2/,
  ],
  ["that another process holds", (db) => db.exec("begin exclusive"), /locked/],
];

test.each(refusals)(
  "a store %s is refused in a sentence, and stays as it is",
  async (_, prepare, words) => {
    const where = await embedded();
    await fill(where);
    const db = new DatabaseSync(`${where.dataFolder}/ralph.sqlite`);
    prepare(db);
    await expect(openStore(system, where, quiet)).rejects.toThrow(words);
    db.close();
  },
);

test("a file that is no database is refused in a sentence", async () => {
  const where = await embedded();
  await fill(where);
  await system.files(where.dataFolder).write("ralph.sqlite", "This is a letter. ".repeat(100));
  await expect(openStore(system, where, quiet)).rejects.toThrow(
    /cannot be used: file is not a database/,
  );
});
