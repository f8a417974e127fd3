import { createGitHub } from "../../../src/github/api/create-github.ts";
import type { ClaimDeps } from "../../../src/github/claims/claim-ref.ts";
import { createFakeGitHub, type FakeGitHub } from "./fake-github.ts";
import { addressOf, fakeClock, inFakeTime } from "./fake-time.ts";

/**
 * What a contender holds, with the real client; use it within `inFakeTime`. Each has a client of its own name, because
 * the client's pauses between writes count per repository, and contenders run on machines of their own.
 */
export function contenderOf(fake: FakeGitHub, name: string): ClaimDeps {
  const repository = `${fake.repository}-${name}`;
  return {
    github: createGitHub({ apiUrl: addressOf(fake), token: "t0ken", repository }),
    clock: { ...fakeClock, now: () => Date.now() },
  };
}

let count = 0;

/** Lets contenders claim items of a repository in which nothing is claimed yet, in fake time. */
export async function claiming<Result>(
  act: (contender: (name: string) => ClaimDeps, fake: FakeGitHub) => Promise<Result>,
): Promise<{ result: Result; fake: FakeGitHub }> {
  const fake = createFakeGitHub({ repository: `o/c${count++}` });
  const result = await inFakeTime([fake], () => act((name) => contenderOf(fake, name), fake));
  return { result, fake };
}

/** What changed something, without what stands before the git objects in its address. */
export const writesOf = ({ seen }: FakeGitHub): string[] =>
  seen.flatMap(({ method, path }) =>
    method === "GET" ? [] : [`${method} ${decodeURIComponent(path).replace(/^.*?\/git\//, "")}`],
  );
