import type { Probot } from "probot";
import { expect, test } from "vitest";
import type { Access } from "../../app/access/access.ts";
import { type AppParts, ralphApp } from "../../app/ralph-app.ts";
import type { Note, Notes } from "../../app/store/notes.ts";
import type { StoredJob } from "../../app/store/queue.ts";
import { RalphError } from "../../src/error.ts";
import { self } from "../support/app/github.ts";
import { base, place } from "../support/app/running-app.ts";

const issue = { number: 12, state: "open", updated_at: "2026-01-27T10:00:00Z" };
const labeled = { ...base, action: "labeled", issue, label: { name: "ralph" } };

/** The jobs a label leads to, with this way to read the configuration. */
async function jobsOf(config: Access["config"], known: object[] = []): Promise<string[]> {
  const added: StoredJob[] = [];
  type Handler = (event: { id: string; payload: unknown }) => Promise<void>;
  const handlers = new Map<unknown, Handler>();
  const list = async () => known.map((data) => noteOf(data));
  const add = async (jobs: readonly StoredJob[]) => added.push(...jobs);
  const access = { self: async () => self, config, locate } as Partial<Access> as Access;
  const notes = { list, get: async () => undefined, put: async () => undefined };
  const parts: AppParts = {
    ...{ access, queue: { add }, workflows: [], clock: { now: () => 1 } },
    record: () => undefined,
    notes: notes as Partial<Notes> as Notes,
  };
  const on = (name: unknown, handler: Handler) => void handlers.set(name, handler);
  await ralphApp(parts)({ on } as unknown as Probot, {} as never);
  await handlers.get("issues.labeled")?.({ id: "a delivery", payload: labeled });
  return added.map(({ kind }) => kind);
}

function noteOf(data: object): Note {
  const id = String(place.id);
  return { kind: "repository", id, repository: id, at: 1, data };
}

const locate: Access["locate"] = async ({ id, repository: full_name }) => ({
  ...{ id, full_name, default_branch: "main" },
  ...{ archived: false, disabled: false, fork: false },
});

const answered = (status: number) => Object.assign(new Error(`${status}`), { status });
const failed = (cause?: unknown) =>
  new RalphError("config", { message: "m", remedy: "r", ...(cause !== undefined && { cause }) });

test.each([
  ["one that is broken", failed()],
  ["one the App may not read any more", failed(answered(404))],
])("without a configuration the defaults apply: %s", async (_, error) => {
  expect(await jobsOf(() => Promise.reject(error))).toEqual(["start", "recheck"]);
});

test("an event is retried later while the configuration cannot be read", async () => {
  const away = failed(answered(502));
  await expect(jobsOf(() => Promise.reject(away))).rejects.toBe(away);
});

const usual = async () => undefined;
const note = { place, isPaused: false };
test.each([
  ["is unknown", [], ["start", "recheck"]],
  ["is known", [note], ["start"]],
  ["was unreachable", [{ ...note, is_gone: true }], ["start", "recheck"]],
  [
    "has the App installed again",
    [{ ...note, place: { ...place, installation: 2 } }],
    ["start", "recheck"],
  ],
])("an event of a repository that %s rechecks it if necessary", async (_, known, kinds) => {
  expect(await jobsOf(usual, known)).toEqual(kinds);
});
