import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type DispatchedRun, saveRun } from "../../../../app/runs/dispatched-run.ts";
import { startApp } from "../../../../app/start-app.ts";
import { openStore } from "../../../../app/store/open-store.ts";
import { createSystem } from "../../../../src/platform/create-system.ts";
import type { WorkRequest } from "../../../../src/schema/work-request.ts";
import { createBrowser } from "../../../../test/support/app/browser.ts";
import { startAppGitHub } from "../../../../test/support/app/github.ts";
import { addPeople, client } from "../../../../test/support/app/people-github.ts";
import { settingsFor } from "../../../../test/support/app/settings.ts";
import type { Reply } from "../../../../test/support/github/server.ts";
import { median } from "../measure.ts";
import type { Effort } from "../overhead.ts";
import { type Row, row } from "../row.ts";

const runs = 10_000;
const repositories = 500;
const megabyte = 1024 * 1024;

/** The App's first page with many runs: how long it takes, at its beginning, far back and filtered, and in what memory. */
export async function measureDashboard({ place, rounds }: Effort): Promise<Row[]> {
  const folder = join(place, "dashboard");
  mkdirSync(folder);
  await using github = await startAppGitHub();
  github.more = answerForMany;
  const people = addPeople(github);
  const names = Array.from({ length: repositories }, (_, index) => `octo/project-${index}`);
  const own = names.map((full_name, index) => ({
    ...{ installation: 3, id: index + 1, full_name, push: true },
  }));
  people.people.set("ada", { id: 5, repositories: own });
  const settings = { ...settingsFor(github, `${folder}/data`), login: client };
  const system = createSystem();
  await using store = await openStore(system, settings, () => undefined);
  const now = Date.now();
  const notes = Array.from({ length: runs }, (_, index) => noteOf(names, now, index));
  for (const note of notes) await saveRun(store.notes, note);
  await using app = await startApp(system, settings, () => undefined);
  const ada = createBrowser(app.url);
  const login = await ada.open("/login");
  await ada.open(people.agree(String(login.headers.location), "ada"));
  const far = notes.at(-51);
  const today = new Date(now).toISOString().slice(0, 10);
  const pages: [name: string, path: string, goalMs: number][] = [
    ["first page", "/", 100],
    ["last page", `/?before=${far?.started_at}.${far?.id}`, 100],
    ["one repository", `/?repository=${names[7]}`, 100],
    ["rare ones, far back", `/?state=closed&until=${today}`, 100],
    ["the day", "/today", 300],
    [`an owner's ${repositories} repositories`, "/owners/octo", 300],
  ];
  const rows: Row[] = [];
  for (const [name, path, goal] of pages) {
    rows.push({ ...(await rowOf(name, () => ada.open(path), 20 * rounds)), goal });
  }
  // Once everything is loaded, more pages must not need more.
  const before = residentBytes();
  for (const [, path] of pages) for (let round = 0; round < 100; round += 1) await ada.open(path);
  const more = (residentBytes() - before) / megabyte;
  const ralph = `${more.toFixed(0)} MB more`;
  return [...rows, row("memory: 100 more of each of these pages", more, "MB", { ralph, goal: 64 })];
}

/** Each of the repositories has a configuration, and is listed under its name. */
function answerForMany(asked: string): Reply | undefined {
  if (asked === "GET /installation/repositories") {
    const listed = Array.from({ length: 25 }, (_, index) => factsOf(index));
    return { body: { total_count: listed.length, repositories: listed } };
  }
  if (!/^GET \/repos\/octo\/project-\d+\/contents\/.ralph%2Fralph.yml$/.test(asked))
    return undefined;
  return { body: { type: "file", encoding: "base64", content: config } };
}

const factsOf = (index: number) => ({
  ...{ id: index + 1, full_name: `octo/project-${index}`, default_branch: "main" },
});
const config = Buffer.from(
  `version: "1"\ntask_source: { type: prd_json, path: .ralph/prd.json }\ngit: { base_branch: main }\n` +
    "gates: { full: [{ name: test, cmd: npm test }] }\nlimits: { runs_per_day: 50 }\n",
).toString("base64");

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Without what the browser and GitHub, which are in this process too, have left behind. */
function residentBytes(): number {
  collectGarbage();
  return process.memoryUsage().rss;
}

async function rowOf(
  name: string,
  open: () => Promise<{ status: number; body: string }>,
  times: number,
): Promise<Row> {
  const all: number[] = [];
  let size = 0;
  for (let round = 0; round < times; round += 1) {
    const startedAt = performance.now();
    const { status, body } = await open();
    if (status !== 200) throw new Error(`${name} answers ${status}.`);
    all.push(performance.now() - startedAt);
    size = Buffer.byteLength(body);
  }
  const figure = median(all);
  return row(`dashboard of ${runs} runs: ${name}`, figure, "ms", {
    beside: `first ${all[0]?.toFixed(0)} ms, slowest ${Math.max(...all).toFixed(0)} ms`,
    ralph: `${figure.toFixed(1)} ms, ${(size / 1000).toFixed(0)} kB`,
  });
}

function noteOf(names: readonly string[], now: number, index: number): DispatchedRun {
  const at = now - index * 60_000;
  return {
    ...{ id: randomUUID(), request: requestFor(index), state: "done" },
    place: {
      installation: 3,
      id: 1 + (index % names.length),
      repository: names[index % names.length] ?? "",
    },
    ...{ words: "All tasks passed. ".repeat(5), cost_usd: 0.42 },
    workflow: { run: index, attempt: 1, url: `https://github.com/octo/x/actions/runs/${index}` },
    ...(index % 3000 === 2999 && { outcome: "rejected" as const }),
    pull: { number: index + 1, url: `https://github.com/octo/x/pull/${index}` },
    ...{ tasks: { passed: 5, total: 5 }, started_at: at, changed_at: at + 600_000 },
  };
}

const requestFor = (issue: number): WorkRequest => ({
  ...{ command: "run", item: `issue-${issue}`, issue },
  ...{ overridesRejection: false, trigger: "label", actor: { login: "ada", id: 5, type: "User" } },
});
