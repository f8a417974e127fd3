import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { listRuns } from "../../../app/runs/dispatched-run.ts";
import { runsAll } from "../../setup/sampled.ts";
import { deliver } from "../../support/app/deliveries.ts";
import { self } from "../../support/app/github.ts";
import { startPostgres } from "../../support/app/postgres.ts";
import {
  ada,
  appConfig,
  base,
  eventually,
  place,
  type RunningTestApp,
  startTestApp,
} from "../../support/app/running-app.ts";

const postgres = await (runsAll ? startPostgres() : undefined);
if (!postgres) console.info("skipped: a start while PostgreSQL dies; needs PostgreSQL and FC_RUNS");
afterAll(async () => postgres?.[Symbol.asyncDispose]());

const labels = 3;

/** Takes more than a minute: only then another attempt may have what a dead one held. */
test.skipIf(!postgres || !runsAll)(
  "a database that dies between a dispatch and its note leads to no second workflow",
  async () => {
    const app = await startTestApp({ databaseUrl: postgres?.url ?? "" });
    const { github, store } = app;
    github.files.set(
      ".ralph/ralph.yml",
      `${appConfig}limits: { open_prs: 50, runs_per_day: 50 }\n`,
    );
    let crashes = 0;
    github.more = (asked, { body }) => {
      if (!asked.endsWith("/dispatches")) return undefined;
      const { inputs } = body as { inputs: Record<string, string> };
      const id = github.runs.size + 1;
      github.runs.set(id, workflowOf(id, inputs["run-id"] ?? ""));
      if (id === 2) {
        crashes += 1;
        postgres?.crash();
        setTimeout(() => postgres?.start(), 500);
      }
      return undefined;
    };
    for (let number = 1; number <= labels; number += 1) await label(app, number);
    const begun = async () => {
      const runs = await listRuns(store.notes, { place });
      expect(runs.filter(({ state }) => /^(?:started|working)$/.test(state))).toHaveLength(labels);
    };
    await eventually(begun);
    expect(crashes).toBe(1);
    expect(github.dispatches).toHaveLength(labels);
  },
);

/** Sends the delivery again until the App has kept it, as GitHub can be asked to. */
async function label({ hook }: RunningTestApp, number: number): Promise<void> {
  const issue = { number, state: "open", updated_at: "2026-01-25T10:00:00Z", user: ada };
  const payload = { ...base, action: "labeled", issue, label: { name: "ralph" } };
  const sent = { id: randomUUID(), body: JSON.stringify(payload) };
  const kept = async () => expect((await deliver(hook, sent)).status).toBe(202);
  await eventually(kept);
}

const workflowOf = (id: number, run: string) => ({
  ...{ id, run_attempt: 1, path: ".github/workflows/ralph.yml", html_url: "u", conclusion: null },
  ...{ event: "workflow_dispatch", head_branch: "main", display_title: `ralph-run:${run}` },
  ...{ status: "in_progress", actor: self, triggering_actor: self },
});
