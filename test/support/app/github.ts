import { type KeyObject, verify } from "node:crypto";
import { dirname } from "node:path";
import { createFakeGitHub, type FakeGitHub } from "../github/fake-github.ts";
import { type GitHubServer, type Reply, type Seen, startGitHubServer } from "../github/server.ts";
import { appKey, appPem } from "./app-key.ts";

/** GitHub as an App sees it: it signs in with its key, and its installation has a token. */
export interface AppGitHub extends AsyncDisposable {
  server: GitHubServer;
  fake: FakeGitHub;
  /** PEM. */
  privateKey: string;
  /** Workflows somebody has started, oldest first. */
  dispatches: { workflow: string; ref: string; inputs: Record<string, string> }[];
  /** Labels somebody took away. */
  removedLabels: string[];
  /** Workflow runs by id. */
  runs: Map<number, Record<string, unknown>>;
  /** Files of the default branch. */
  files: Map<string, string>;
  /** While true nothing but 502 is answered. */
  isAway: boolean;
  /** While set every request gets this answer. */
  always: Reply | undefined;
  /** What is said of the repository; undefined: the App was removed from it. */
  facts: Record<string, unknown> | undefined;
  /** Workflow runs somebody asked to cancel. */
  cancelled: number[];
  /** Deliveries as the App's settings list them, and what happens when one is to be sent again. */
  hook: { sent: SentHook[]; again: (sent: SentHook) => void };
  /** What is asked with the token of a person, or to get one. */
  people: (asked: string, seen: Seen) => Reply | undefined;
  /** Asked before everything else an installation may see. */
  more: (asked: string, seen: Seen) => Reply | undefined;
}

/** An attempt to deliver an event; `body` is what was sent. */
export interface SentHook {
  id: number;
  guid: string;
  delivered_at: string;
  status_code: number;
  event: string;
  body: string;
}

export const appSlug = "ralph-test";
export const self = { id: 900, login: `${appSlug}[bot]`, type: "Bot" } as const;
const token = "ghs_installation_token_of_the_tests";

/**
 * Starts it; `octo/example` has the App installed. With a bare repository its git is real. Answers are compared with
 * GitHub's description unless `isChecked` is false.
 */
export async function startAppGitHub({
  bare,
  isChecked = true,
}: {
  bare?: string;
  isChecked?: boolean;
} = {}): Promise<AppGitHub> {
  const github = {
    ...createRepository(bare === undefined ? {} : { bare }),
    privateKey: appPem,
  };
  const answer = (seen: Seen) => answerFor(found, appKey.publicKey, seen);
  // Of `root/octo/example.git`.
  const hosting = bare === undefined ? undefined : { root: dirname(dirname(bare)), token };
  const server = await startGitHubServer(answer, hosting, isChecked);
  const found: AppGitHub = {
    ...github,
    server,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
  return found;
}

/** One repository of GitHub, `octo/example`, in which nothing has happened. */
export function createRepository(
  given: { bare?: string } = {},
): Omit<AppGitHub, "server" | "privateKey" | keyof AsyncDisposable> {
  return {
    fake: createFakeGitHub({ repository: "octo/example", viewer: self, ...given }),
    dispatches: [],
    removedLabels: [],
    runs: new Map(),
    files: new Map(),
    isAway: false,
    always: undefined,
    facts: { default_branch: "main", id: 7, full_name: "octo/example" },
    cancelled: [],
    hook: { sent: [], again: () => undefined },
    people: () => undefined,
    more: () => undefined,
  };
}

export type FakeRepository = ReturnType<typeof createRepository>;

function answerFor(github: AppGitHub, key: KeyObject, seen: Seen): Reply {
  if (github.isAway) return { status: 502, body: { message: "Bad Gateway" } };
  if (github.always) return github.always;
  const path = seen.path.replace(/^\/api\/v3/, "").split("?", 1)[0] ?? "";
  const asked = `${seen.method} ${path}`;
  const open = answerAnybody(github, asked, seen);
  if (open) return open;
  const isApp = /^(?:GET \/app|POST \/app\/)/.test(asked);
  if (isApp) return isSigned(seen, key) ? asApp(github, asked) : unknown;
  if (!/^(?:token|bearer) ghs_/i.test(seen.authorization ?? "")) return unknown;
  return asInstallation(github, asked, seen) ?? github.fake.answer(seen);
}

const unknown: Reply = { status: 401, body: { message: "Bad credentials" } };

/** People have tokens of their own, and the addresses of the storage are secret enough. */
function answerAnybody(github: AppGitHub, asked: string, seen: Seen): Reply | undefined {
  const personal = github.people(asked, seen);
  return personal ?? (asked.includes(" /storage/") ? github.more(asked, seen) : undefined);
}

export function isSigned({ authorization = "" }: Seen, key: KeyObject): boolean {
  const [head = "", body = "", signature = ""] = authorization.replace(/^bearer /i, "").split(".");
  return verify("sha256", Buffer.from(`${head}.${body}`), key, Buffer.from(signature, "base64url"));
}

function asApp({ hook }: AppGitHub, asked: string): Reply {
  if (asked === "GET /app") return { body: { id: 1, slug: appSlug } };
  if (asked === "GET /app/hook/deliveries") return { body: listed(hook.sent) };
  const [, again] = /^POST \/app\/hook\/deliveries\/(\d+)\/attempts$/.exec(asked) ?? [];
  if (again) {
    const sent = hook.sent.find(({ id }) => id === Number(again));
    if (sent) hook.again(sent);
    return sent ? { status: 202 } : { status: 404, body: { message: "Not Found" } };
  }
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  return { status: 201, body: { token, expires_at, permissions: {} } };
}

/** Newest first, without what was sent. */
const listed = (sent: readonly SentHook[]) => sent.toReversed().map(({ body: _, ...each }) => each);

/** What an installation is answered. */
export function asInstallation(
  github: FakeRepository,
  asked: string,
  seen: Seen,
): Reply | undefined {
  const reply = github.more(asked, seen);
  if (reply) return reply;
  if (asked.startsWith("GET /users/")) return { body: self };
  if (asked === "GET /installation/repositories") return listedRepositories(github);
  const [, rest = ""] = /^\w+ \/repos\/octo\/example(.*)$/.exec(asked) ?? [];
  if (asked === "GET /repos/octo/example") return foundOr404(github.facts);
  const [, file] = /^\/contents\/(.+)$/.exec(rest) ?? [];
  if (file) return contentOf(github.files.get(decodeURIComponent(file)));
  const [, label] = /^\/issues\/\d+\/labels\/(.+)$/.exec(rest) ?? [];
  if (label && seen.method === "DELETE") {
    github.removedLabels.push(decodeURIComponent(label));
    return { body: [] };
  }
  return inActions(github, rest, seen);
}

function inActions(github: FakeRepository, rest: string, seen: Seen): Reply | undefined {
  const [, workflow] = /^\/actions\/workflows\/([^/]+)\/dispatches$/.exec(rest) ?? [];
  if (workflow) {
    const { ref, inputs } = seen.body as { ref: string; inputs: Record<string, string> };
    github.dispatches.push({ workflow, ref, inputs });
    return { status: 204 };
  }
  if (/^\/actions\/workflows\/[^/]+\/runs$/.test(rest)) {
    return { body: { total_count: github.runs.size, workflow_runs: [...github.runs.values()] } };
  }
  const [, cancelled] = /^\/actions\/runs\/(\d+)\/cancel$/.exec(rest) ?? [];
  if (cancelled) {
    github.cancelled.push(Number(cancelled));
    return { status: 202 };
  }
  const [, run] = /^\/actions\/runs\/(\d+)$/.exec(rest) ?? [];
  if (run) return foundOr404(github.runs.get(Number(run)));
  return undefined;
}

function contentOf(text: string | undefined): Reply {
  if (text === undefined) return { status: 404, body: { message: "Not Found" } };
  const content = Buffer.from(text).toString("base64");
  return { body: { type: "file", encoding: "base64", content } };
}

/** A token is for one repository, and lists only that. */
function listedRepositories({ facts }: Pick<AppGitHub, "facts">): Reply {
  const repositories = facts ? [{ id: 7, full_name: "octo/example", ...facts }] : [];
  return { body: { total_count: repositories.length, repositories } };
}

const foundOr404 = (body: unknown): Reply =>
  body === undefined ? { status: 404, body: { message: "Not Found" } } : { body };
