import { randomUUID } from "node:crypto";
import { expect, onTestFinished, vi } from "vitest";
import { webhookPath } from "../../../app/settings/settings.ts";
import { startApp } from "../../../app/start-app.ts";
import type { Store } from "../../../app/store/notes.ts";
import { openStore } from "../../../app/store/open-store.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import type { System } from "../../../src/platform/system.ts";
import { createTestFolder } from "../project/system.ts";
import { deliver } from "./deliveries.ts";
import { type AppGitHub, startAppGitHub } from "./github.ts";
import { settingsFor } from "./settings.ts";

export const appConfig = `version: "1"
task_source: { type: prd_json, path: .ralph/prd.json }
git: { base_branch: main }
gates: { full: [{ name: test, cmd: npm test }] }
autopilot: { enabled: true }
`;

export const place = { installation: 3, id: 7, repository: "octo/example" };
export const ada = { login: "ada", id: 5, type: "User" } as const;

/** What every delivery has. */
export const base = {
  installation: { id: 3 },
  repository: { id: 7, full_name: "octo/example", default_branch: "main" },
  sender: ada,
};

export interface RunningTestApp {
  github: AppGitHub;
  hook: string;
  store: Store;
  send: (event: string, payload: object) => Promise<void>;
}

export interface AppOptions {
  /** Of a bare repository: git is real then. */
  bare?: string;
  /** Absent: the embedded store. */
  databaseUrl?: string;
  /** What is there before the App starts. */
  prepare?: (given: { github: AppGitHub; store: Store }) => Promise<void> | void;
  /** Hears where the App takes deliveries. */
  started?: (hook: string) => void;
  /** How far the App's clock is ahead. */
  aheadMs?: () => number;
  /** GitHub also gives answers that its description does not have. */
  hasOddAnswers?: true;
  /** Hears each line of the log. */
  write?: (line: string) => void;
}

/** The App on a GitHub in which Ada may write, with its store open to look into; it sleeps no longer than 50 ms. */
export async function startTestApp(options: AppOptions = {}): Promise<RunningTestApp> {
  const github = await startAppGitHub({
    ...(options.bare !== undefined && { bare: options.bare }),
    isChecked: !options.hasOddAnswers,
  });
  github.files.set(".ralph/ralph.yml", appConfig);
  const permission = { permission: "write", role_name: "write", user: { type: "User", id: 5 } };
  github.fake.state.permissions.ada = permission;
  const folder = await createTestFolder();
  const system = impatient(options.aheadMs ?? (() => 0));
  const settings = {
    ...settingsFor(github, `${folder.path}/data`),
    databaseUrl: options.databaseUrl,
  };
  const store = await openStore(system, settings, () => undefined);
  await options.prepare?.({ github, store });
  const app = await startApp(system, settings, options.write ?? (() => undefined));
  onTestFinished(async () => {
    await app[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
    await github[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  const hook = `${app.url}${webhookPath}`;
  options.started?.(hook);
  const send = async (event: string, payload: object) => {
    const body = JSON.stringify({ ...base, ...payload });
    expect(await deliver(hook, { event, id: randomUUID(), body })).toMatchObject({ status: 202 });
  };
  return { github, hook, store, send };
}

function impatient(aheadMs: () => number): System {
  const system = createSystem();
  const { clock } = system;
  return {
    ...system,
    clock: {
      ...clock,
      now: () => clock.now() + aheadMs(),
      sleep: (ms, signal) => clock.sleep(Math.min(ms, 50), signal),
    },
  };
}

/** Waits until something holds: on a busy machine nobody knows how long. A test has a little more time, so that it says what does not. */
export const eventually = (check: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: 280_000, interval: 50 });

/** Waits until nothing is left to do. */
export const settled = ({ queue }: Store): Promise<void> =>
  eventually(async () => {
    expect(await queue.counts()).toMatchObject({ ready: 0, active: 0, dead: 0 });
  });
