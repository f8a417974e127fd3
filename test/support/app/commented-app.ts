import { type DispatchedRun, isOpen } from "../../../app/runs/dispatched-run.ts";
import type { Reply } from "../github/server.ts";
import { self } from "./github.ts";
import { ada, type RunningTestApp, settled, startTestApp } from "./running-app.ts";
import { keep } from "./runs.ts";

/** Workflow run 31, which has left a session. */
export const workflow = { run: 31, attempt: 1, url: "u" };
/** An issue people speak in. */
export const thread = { number: 12, state: "open", updated_at: "2026-01-27T10:00:00Z", user: ada };
export const failed: Partial<DispatchedRun> = { workflow, tasks: { passed: 1, total: 3 } };

export interface CommentedOptions {
  runs?: readonly DispatchedRun[];
  /** Asked before everything else. */
  more?: (asked: string, body: unknown) => Reply | undefined;
  /** Hears each line of the log. */
  write?: (line: string) => void;
}

/** The App with some runs, in whose issues people write comments. */
export const startCommented = ({ runs = [], more, write }: CommentedOptions = {}) =>
  startTestApp({
    ...(write && { write }),
    prepare: async ({ store, github }) => {
      for (const run of runs) {
        await keep(store, run);
        if (run.workflow && isOpen(run)) github.runs.set(31, workflowOf(run));
      }
      const artifact = { id: 1, name: "ralph-session-31-1", size_in_bytes: 10, expired: false };
      github.more = (asked, { body }) => {
        const isAsked = asked.endsWith("/actions/runs/31/artifacts");
        const listed = { body: { total_count: 1, artifacts: [artifact] } };
        return more?.(asked, body) ?? (isAsked ? listed : undefined);
      };
    },
  });

/** What GitHub says of the workflow run a run has. */
export const workflowOf = ({ id }: DispatchedRun) => ({
  ...{ id: 31, run_attempt: 1, path: ".github/workflows/ralph.yml", html_url: "u" },
  ...{ event: "workflow_dispatch", head_branch: "main", display_title: `ralph-run:${id}` },
  ...{ status: "in_progress", actor: self, triggering_actor: self },
});

let comments = 90;

type Said = { user?: object; issue?: object; id?: number };

/** Somebody writes a comment; answers its id. */
export async function write(
  app: RunningTestApp,
  body: string,
  { user = ada, issue = thread, id = ++comments }: Said = {},
): Promise<number> {
  const comment = { id, body, user };
  await app.send("issue_comment", { action: "created", issue, comment, sender: user });
  return id;
}

/** The same, and everything that follows is done. */
export async function say(app: RunningTestApp, body: string, said: Said = {}): Promise<number> {
  const id = await write(app, body, said);
  await settled(app.store);
  return id;
}

export const answers = ({ github }: RunningTestApp) =>
  github.fake.state.comments.map(({ body }) => body);
export const sent = ({ github }: RunningTestApp) => github.dispatches.map(({ inputs }) => inputs);

/** The notes of all runs, newest first. */
export const runsOf = async ({ store }: RunningTestApp): Promise<DispatchedRun[]> =>
  (await store.notes.list({ kind: "run", limit: 20 })).map(({ data }) => data as DispatchedRun);

/** What was said and no workflow has been told of. */
export const untold = async ({ store }: RunningTestApp) =>
  (await store.notes.list({ kind: "orders", limit: 20 })).map(({ data }) => data);
