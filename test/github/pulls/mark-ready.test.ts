import { expect, test } from "vitest";
import { markReady } from "../../../src/github/pulls/pull-request.ts";
import type { FaultKind } from "../../support/github/fake-faults.ts";
import type { FakePull } from "../../support/github/fake-state.ts";
import { breakFirst, publishing, pullOf } from "../../support/github/publishing.ts";

const ready = (more: Partial<FakePull> = {}, kind?: FaultKind) =>
  publishing((deps) => markReady(deps, pullOf(more)), {
    prepare: (fake) => {
      fake.state.pulls.push(pullOf());
      if (kind) breakFirst(fake, { match: /^POST .*graphql/, kind });
    },
  });

test("a draft becomes ready", async () => {
  const { result, fake, writes } = await ready();
  expect(result).toMatchObject({ number: 1, draft: false });
  expect(fake.state.pulls).toMatchObject([{ draft: false }]);
  expect(writes).toHaveLength(1);
  expect(writes).toEqual([expect.stringMatching(/^POST .*\/api\/graphql$/)]);
});

test.each([{ draft: false }, { state: "closed" as const }])(
  "a pull request with %j is left alone",
  async (more) => {
    const { result, fake } = await ready(more);
    expect(result).toMatchObject(more);
    expect(fake.seen).toEqual([]);
  },
);

test.each(["5xx-before", "5xx-after", "reset-after", "hang-after", "hang-before"] as const)(
  "%s: it is ready in the end, and asked for again only when it is not",
  async (kind) => {
    const { result, fake, writes } = await ready({}, kind);
    expect(result).toMatchObject({ draft: false });
    expect(fake.state.pulls).toMatchObject([{ draft: false }]);
    expect(writes).toHaveLength(kind.endsWith("after") ? 1 : 2);
  },
);

test("a draft that someone else marks ready is ready", async () => {
  const { result } = await publishing((deps) => markReady(deps, pullOf()), {
    prepare: ({ state }) => state.pulls.push(pullOf({ draft: false })),
  });
  expect(result).toMatchObject({ draft: false });
});

test("a refusal is an error", async () => {
  const { result } = await ready({ node_id: "PR_unknown" });
  expect(result).toMatchObject({
    reason: "pr",
    message: expect.stringContaining("refused to mark pull request #1 as ready for review"),
  });
});

test("no more requests are sent during a rate limit", async () => {
  const { result, fake } = await publishing((deps) => markReady(deps, pullOf()), {
    prepare: (fake) => breakFirst(fake, { match: /graphql/, kind: "secondary-limit", times: 9 }),
  });
  expect(result).toMatchObject({ reason: "pr", message: expect.stringContaining("rate limit") });
  expect(fake.violations).toEqual([]);
});
