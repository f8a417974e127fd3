import { createGitHub } from "../../../src/github/api/create-github.ts";
import type { PublishDeps } from "../../../src/github/publication/publish-request.ts";
import type { WantedPull } from "../../../src/github/pulls/pull-request.ts";
import { createSecretFinder } from "../../../src/github/verify/find-secrets.ts";
import { renderPullMarker } from "../../../src/views/pull-request/pull-marker.ts";
import type { FaultKind } from "./fake-faults.ts";
import { createFakeGitHub, type FakeGitHub } from "./fake-github.ts";
import type { FakePull, FakeSettings } from "./fake-state.ts";
import { addressOf, fakeClock, inFakeTime } from "./fake-time.ts";

export const run = "20260125-143052-a7b3c9";
export const head = "c".repeat(40);
export const bot = { login: "github-actions[bot]", type: "Bot" } as const;
export const ada = { login: "ada", type: "User" } as const;

/** What a publisher holds, with the real client; use it within `inFakeTime`. */
export function depsFor(fake: FakeGitHub): PublishDeps {
  const { repository } = fake;
  return {
    github: createGitHub({ apiUrl: addressOf(fake), token: "t0ken", repository }),
    clock: fakeClock,
    viewer: { login: bot.login },
    findSecrets: createSecretFinder(["correct-horse-battery"]),
  };
}

export const wantedPull = (more: Partial<WantedPull> = {}): WantedPull => ({
  branch: "ralph/example",
  base: "main",
  title: "Ralph: example",
  body: `What it is about.\n\n${renderPullMarker({ run, item: "f00d" })}\n`,
  marker: { run, item: "f00d" },
  maxOpen: 1,
  ...more,
});

/** A pull request that is there already; by default ours, of this run, open. */
export function pullOf(more: Partial<FakePull> = {}): FakePull {
  const { title, body } = wantedPull();
  return {
    number: 1,
    node_id: "PR_1",
    html_url: "https://github.com/o/r/pull/1",
    state: "open",
    draft: true,
    title,
    body,
    user: bot,
    head: { ref: "ralph/example", sha: head, repo: { full_name: "o/r" } },
    base: { ref: "main", sha: "b".repeat(40), repo: { full_name: "o/r" } },
    created_at: "2026-01-25T14:40:00Z",
    merged_at: null,
    ...more,
  };
}

let count = 0;

/**
 * One act against one fake in fake time; each has a repository of its own, because the client's pauses count per
 * repository. `prepare` puts there what is there before.
 */
export async function publishing<Result>(
  act: (deps: PublishDeps, fake: FakeGitHub) => Promise<Result>,
  { prepare, ...settings }: FakeSettings & { prepare?: (fake: FakeGitHub) => void } = {},
): Promise<{ result: Result | Error; fake: FakeGitHub; writes: string[] }> {
  const fake = createFakeGitHub({ repository: `o/r${count++}`, ...settings });
  prepare?.(fake);
  for (const { head, base } of fake.state.pulls) {
    if (head.repo?.full_name === "o/r") head.repo = { full_name: fake.repository };
    base.repo = { full_name: fake.repository };
  }
  const result = await inFakeTime([fake], () =>
    act(depsFor(fake), fake).catch((error: unknown) => {
      if (error instanceof Error) return error;
      throw error;
    }),
  );
  const writes = fake.seen.flatMap(({ method, path }) =>
    method === "GET" ? [] : [`${method} ${path.replace(/^.*?\/r\d+\//, "")}`],
  );
  return { result, fake, writes };
}

/** Breaks the first request whose `METHOD path` matches, or the first `times` of them. */
export function breakFirst(
  fake: FakeGitHub,
  { match, kind, times = 1 }: { match: RegExp; kind: FaultKind; times?: number },
): void {
  let left = times;
  fake.breakBy(({ method, path }) =>
    match.test(`${method} ${path}`) && left-- > 0 ? kind : undefined,
  );
}
