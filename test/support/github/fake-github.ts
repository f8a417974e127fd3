import { type FaultScript, faultReply, isAfterEffect } from "./fake-faults.ts";
import { gitRoutes } from "./fake-git.ts";
import { memoryGitRoutes } from "./fake-git-memory.ts";
import { createLimits } from "./fake-limits.ts";
import { type Call, fakeRoutes, refused } from "./fake-routes.ts";
import { emptyState, type FakeAccount, type FakeSettings, type FakeState } from "./fake-state.ts";
import type { Reply, Seen } from "./server.ts";

/** GitHub with a memory: pull requests, comments, check runs, what CI did. */
export interface FakeGitHub {
  /** For `startGitHubServer`, or for a `fetch` of a test's own. */
  readonly answer: (seen: Seen, viewer?: FakeAccount) => Reply;
  readonly state: FakeState;
  readonly repository: string;
  readonly seen: readonly Seen[];
  /** Documented limits somebody broke. */
  readonly violations: readonly string[];
  /** Every fault that was met, in order. */
  readonly faults: readonly string[];
  /** From the next request on. */
  breakBy: (script: FaultScript) => void;
}

/** How far a stale read lies behind. */
const lagMs = 5000;

/** A repository in which nothing has happened yet, on a GitHub that does as told. */
export function createFakeGitHub(settings: FakeSettings = {}): FakeGitHub {
  const { repository = "o/r", now = () => Date.now() } = settings;
  const { hasDrafts = true, mayOpenPulls = true, signsCommits = true, bare } = settings;
  const viewer = settings.viewer ?? { login: "github-actions[bot]", type: "Bot" };
  const state = emptyState();
  const past: { at: number; state: FakeState }[] = [];
  const seen: Seen[] = [];
  const faults: string[] = [];
  const limits = createLimits();
  let script: FaultScript = () => undefined;
  let unknownBranch = settings.unknownBranch ?? 0;
  const isUnknownBranch = () => unknownBranch-- > 0;
  const rules = { hasDrafts, mayOpenPulls, signsCommits, bare };
  const setup = { repository, ...rules, isUnknownBranch };

  const act = (asked: Seen, from: FakeState, as: FakeAccount): Reply => {
    const { pathname, searchParams: query } = new URL(asked.path, "http://fake");
    const path = pathname.replace(/^\/api(?:\/v3)?/, "");
    const found = routeFor({ method: asked.method, path, bare });
    if (!found) return refused(404, `Not Found: ${asked.method} ${path}`);
    const body = (asked.body ?? {}) as Call["body"];
    const reply = found.route({
      ...setup,
      ...{ viewer: as, state: from, now: now(), path: asked.path, query, body },
      ...found,
    });
    // What was answered must not change with what happens later.
    return structuredClone(reply);
  };

  const answer = (asked: Seen, as = viewer): Reply => {
    seen.push(asked);
    limits.look(asked, now());
    const kind = script(asked, seen.length);
    if (kind && isMet(kind, asked)) faults.push(kind);
    const reply = respond(asked, as, kind && isMet(kind, asked) ? kind : undefined);
    limits.remember(reply, now());
    return reply;
  };

  const respond = (asked: Seen, as: FakeAccount, kind: ReturnType<FaultScript>): Reply => {
    if (kind === "stale-read") return act(asked, stateAt(past, now() - lagMs), as);
    if (kind && !isAfterEffect(kind)) return faultReply(kind, now());
    if (asked.method !== "GET") past.push({ at: now(), state: structuredClone(state) });
    const reply = act(asked, state, as);
    return kind ? faultReply(kind, now()) : reply;
  };

  return {
    answer,
    state,
    repository,
    seen,
    violations: limits.violations,
    faults,
    breakBy: (next) => {
      script = next;
    },
  };

  /** Before the first write within the lag; `past` holds the state before each write. */
  function stateAt(writes: typeof past, at: number): FakeState {
    return structuredClone(writes.find((write) => write.at > at)?.state ?? state);
  }
}

function isMet(kind: string, { method }: Seen): boolean {
  if (kind === "stale-read") return method === "GET";
  return kind !== "422" || method !== "GET";
}

const withRepository = { ...fakeRoutes, ...gitRoutes };
const withMemory = { ...fakeRoutes, ...memoryGitRoutes };

/** `*` stands for one part of a path, `**` for the rest of it. */
function routeFor({
  method,
  path,
  bare,
}: {
  method: string;
  path: string;
  bare: string | undefined;
}) {
  const routes = bare === undefined ? withMemory : withRepository;
  for (const [pattern, route] of Object.entries<(call: Call) => Reply>(routes)) {
    const [verb, shape = ""] = pattern.split(" ");
    if (verb !== method) continue;
    const regex = shape
      .replace("/repos/*", "/repos/([^/]+/[^/]+)")
      .replace("**", "(.+)")
      .replaceAll("*", "([^/]+)");
    const match = new RegExp(`^${regex}$`).exec(path);
    if (match) return { route, parts: match.slice(1).map(decodeURIComponent) };
  }
  return undefined;
}
