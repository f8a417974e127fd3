import { randomUUID } from "node:crypto";
import { expect, onTestFinished } from "vitest";
import { startApp } from "../../../app/start-app.ts";
import type { Store } from "../../../app/store/notes.ts";
import { openStore } from "../../../app/store/open-store.ts";
import type { StoredJob } from "../../../app/store/queue.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import { createTestFolder } from "../project/system.ts";
import { type Browser, createBrowser, type Shown } from "./browser.ts";
import { listDead } from "./dead-jobs.ts";
import { type AppGitHub, startAppGitHub } from "./github.ts";
import { addPeople, client, type FakePeople } from "./people-github.ts";
import { eventually } from "./running-app.ts";
import { settingsFor } from "./settings.ts";

export interface PagesApp {
  url: string;
  github: AppGitHub;
  people: FakePeople;
  store: Store;
  browser: () => Browser;
  /** A browser in which somebody has signed in. */
  signIn: (login: string) => Promise<Browser>;
  /** Makes the App's clock go ahead. */
  skip: (ms: number) => void;
}

/** The App with its pages on a GitHub where Ada may write to one repository, Bob may read it, and Eve has another. */
export async function startPagesApp({ isPublic = true } = {}): Promise<PagesApp> {
  const github = await startAppGitHub();
  const people = addPeople(github);
  const example = { installation: 3, id: 7, full_name: "octo/example" };
  people.people.set("ada", { id: 5, repositories: [{ ...example, push: true }] });
  people.people.set("bob", { id: 6, repositories: [{ ...example, push: false }] });
  const other = { installation: 4, id: 8, full_name: "eve/own", push: true };
  people.people.set("eve", { id: 66, repositories: [other] });
  for (const [login, id, permission] of [
    ["ada", 5, "write"],
    ["bob", 6, "read"],
  ] as const) {
    const user = { type: "User", id };
    github.fake.state.permissions[login] = { permission, role_name: permission, user };
  }
  const folder = await createTestFolder();
  let aheadMs = 0;
  const system = createSystem();
  const { clock } = system;
  const ahead = { ...system, clock: { ...clock, now: () => clock.now() + aheadMs } };
  const login = isPublic ? client : undefined;
  const settings = { ...settingsFor(github, `${folder.path}/data`), login };
  const store = await openStore(system, settings, () => undefined);
  const app = await startApp(ahead, settings, () => undefined);
  onTestFinished(async () => {
    await app[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
    await github[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  const browser = () => createBrowser(app.url);
  const signIn = async (login: string) => {
    const own = browser();
    const { headers } = await own.open("/login");
    await own.open(people.agree(String(headers.location), login));
    return own;
  };
  const skip = (ms: number) => {
    aheadMs += ms;
  };
  return { url: app.url, github, people, store, browser, signIn, skip };
}

/** The token in the forms of a page. */
export const tokenIn = ({ body }: Shown): string =>
  /name="token" value="([0-9a-f]+)"/.exec(body)?.[1] ?? "";

/** Leaves a job the App has no handler for, so that it gives it up; answers its id. */
export async function leaveDead(
  { queue }: Store,
  change: Partial<StoredJob> = {},
): Promise<string> {
  const id = randomUUID();
  const job = { id, kind: "nothing", group: "work:7", data: null, ...change };
  await queue.add([job]);
  await eventually(async () =>
    expect((await listDead(queue, job.group)).map((dead) => dead.id)).toContain(id),
  );
  return id;
}
