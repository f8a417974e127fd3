import { onTestFinished } from "vitest";
import { webhookPath } from "../../../app/settings/settings.ts";
import { startApp } from "../../../app/start-app.ts";
import type { Store } from "../../../app/store/notes.ts";
import { openStore } from "../../../app/store/open-store.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import { createTestFolder } from "../project/system.ts";
import { listDead } from "./dead-jobs.ts";
import { deliver } from "./deliveries.ts";
import { type ManyGitHub, type ManyRepository, startManyGitHub } from "./many-github.ts";
import { settingsFor } from "./settings.ts";

export interface MoveGiven {
  moves: number;
  seed: number;
  /** Undefined: the embedded store. */
  databaseUrl?: string;
}

/** What went wrong; each line names a repository by its id. */
export interface MoveResult {
  /** A label that has led to no run. */
  lostRuns: string[];
  doubledRuns: string[];
  /** Runs that started although their repository was paused. */
  forgottenPauses: string[];
  /** Runs that are shown to readers of another repository. */
  foreignRuns: string[];
}

const config = `version: "1"
task_source: { type: prd_json, path: .ralph/prd.json }
git: { base_branch: main }
gates: { full: [{ name: test, cmd: npm test }] }
autopilot: { enabled: true }
limits: { open_prs: 50, runs_per_day: 1000 }
`;
const ada = { login: "ada", id: 5, type: "User" };

/** A repository, and what people asked for in it. */
interface Followed {
  repository: ManyRepository;
  labels: number;
  isPaused: boolean;
}

interface World {
  github: ManyGitHub;
  store: Store;
  url: string;
  followed: Followed[];
  random: () => number;
  /** Names nobody has used yet. */
  names: () => string;
}

/** Labels issues and pauses repositories while they are moved, then compares what happened with what was asked for. */
export async function moveAround({ moves, seed, databaseUrl }: MoveGiven): Promise<MoveResult> {
  const world = await startWorld(seed, databaseUrl);
  const { followed } = world;
  for (let index = 0; index < 3; index += 1) follow(world, index % 2 === 0 ? 3 : 4);
  for (let index = 0; index < moves; index += 1) {
    const one = followed[Math.floor(world.random() * followed.length)];
    if (!one || one.repository.isGone) continue;
    await act(world, one, index);
    await pause(world.random() * 40);
    await move(world, one, index);
    if (index % 10 === 9) await settle(world);
  }
  await settle(world);
  return compare(world);
}

async function startWorld(seed: number, databaseUrl: string | undefined): Promise<World> {
  const github = await startManyGitHub();
  const folder = await createTestFolder();
  const system = createSystem();
  const { clock } = system;
  const time = { aheadMs: 0 };
  const fast = {
    ...system,
    clock: {
      ...clock,
      // Pauses before another attempt are over soon.
      now: () => {
        time.aheadMs += 5;
        return clock.now() + time.aheadMs;
      },
      sleep: (ms: number, signal?: AbortSignal) => clock.sleep(Math.min(ms, 20), signal),
    },
  };
  const settings = { ...settingsFor(github, `${folder.path}/data`), databaseUrl };
  const store = await openStore(fast, settings, () => undefined);
  const app = await startApp(fast, settings, () => undefined);
  onTestFinished(async () => {
    await app[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
    await github[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  let names = 0;
  return {
    ...{ github, store, url: `${app.url}${webhookPath}`, followed: [], random: randomOf(seed) },
    names: () => `octo/project-${++names}`,
  };
}

/** mulberry32 */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function follow(world: World, installation: number, name = world.names()): Followed {
  const repository = world.github.create({ name, installation, config });
  const followed = { repository, labels: 0, isPaused: false };
  world.followed.push(followed);
  return followed;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type Event = { event: string; payload: object };

function send(
  { url }: World,
  { id, name, installation }: ManyRepository,
  { event, payload }: Event,
) {
  const body = JSON.stringify({
    installation: { id: installation },
    repository: { id, full_name: name, default_branch: "main" },
    sender: ada,
    ...payload,
  });
  return deliver(url, { event, body });
}

/** A label, sometimes a pause before it. */
async function act(world: World, one: Followed, index: number): Promise<void> {
  const { repository } = one;
  const issue = { number: 1000 + index, state: "open", updated_at: "2026-01-27T10:00:00Z" };
  if (!one.isPaused && world.random() < 0.15) {
    const comment = { id: 50_000 + index, body: "/ralph pause", user: ada };
    await send(world, repository, {
      event: "issue_comment",
      payload: { action: "created", issue, comment },
    });
    await settle(world);
    one.isPaused = true;
  }
  one.labels += 1;
  const label = { name: "ralph" };
  await send(world, repository, { event: "issues", payload: { action: "labeled", issue, label } });
}

/** The repository gets another address; its event comes early, late, or not at all. */
async function move(world: World, one: Followed, index: number): Promise<void> {
  const { github, random } = world;
  const { repository } = one;
  const before = repository.name;
  github.rename(repository, world.names());
  const kind = random() < 0.3 ? "transferred" : "renamed";
  if (kind === "transferred") repository.installation = repository.installation === 3 ? 4 : 3;
  // Another one takes the name at once.
  const isTaken = random() < 0.5;
  const taker = isTaken ? follow(world, 3, before) : undefined;
  await pause(random() * 40);
  // Without the event of a transfer the App cannot know the other installation until something happens there.
  if (kind === "transferred" || random() < 0.7) {
    await send(world, repository, { event: "repository", payload: { action: kind } });
  }
  if (taker && random() < 0.5) await act(world, taker, 10_000 + index);
}

async function settle({ store, followed }: World): Promise<void> {
  const { queue } = store;
  const giveUpAt = performance.now() + 120_000;
  for (;;) {
    const { ready, active, dead } = await queue.counts();
    const groups = ["clock", "redeliver"].concat(
      followed.flatMap(({ repository: { id } }) => [`work:${id}`, `deliveries:${id}`]),
    );
    if (dead > 0) throw new Error(JSON.stringify(await listDead(queue, ...groups)));
    if (ready + active === 0) return;
    if (performance.now() > giveUpAt) {
      const left = await queue.list({ state: active > 0 ? "active" : "ready", groups, limit: 5 });
      throw new Error(`${ready} jobs are still waiting: ${JSON.stringify(left)}`);
    }
    await pause(20);
  }
}

async function compare({ store, followed }: World): Promise<MoveResult> {
  const result: MoveResult = {
    ...{ lostRuns: [], doubledRuns: [], forgottenPauses: [], foreignRuns: [] },
  };
  for (const each of followed) await compareOne(store, each, result);
  const owners = new Map(followed.map(({ repository }) => [repository.id, repository]));
  for (const { repository, data } of await store.notes.list({ kind: "run", limit: 100_000 })) {
    const { place } = data as { place: { id: number } };
    if (String(place.id) !== repository || !owners.has(place.id))
      result.foreignRuns.push(repository);
  }
  return result;
}

async function compareOne(
  { notes }: Store,
  { repository: { id, inside }, labels, isPaused }: Followed,
  result: MoveResult,
): Promise<void> {
  const runs = await notes.list({ kind: "run", repositories: [String(id)], limit: 10_000 });
  const started = inside.dispatches.map(({ inputs }) => inputs["issue-number"]);
  const waiting = runs.filter(({ data }) => (data as { state: string }).state === "waiting");
  const line = `${id}: ${started.length} started, ${waiting.length} wait of ${labels}`;
  if (new Set(started).size < started.length) result.doubledRuns.push(line);
  if (isPaused !== waiting.length > 0) result.forgottenPauses.push(line);
  if (started.length + waiting.length !== labels) result.lostRuns.push(line);
}
