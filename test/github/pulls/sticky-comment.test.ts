import { expect, test } from "vitest";
import { upsertComment } from "../../../src/github/pulls/sticky-comment.ts";
import { metricsMarker } from "../../../src/views/pull-request/pull-marker.ts";
import { type FaultKind, faultKinds } from "../../support/github/fake-faults.ts";
import type { FakeComment } from "../../support/github/fake-state.ts";
import { ada, bot, breakFirst, publishing, run } from "../../support/github/publishing.ts";

const marker = metricsMarker(run);
const wanted = (figures: string) => ({ number: 7, marker, body: `${marker}\n\n${figures}\n` });
const comment = (id: number, more: Partial<FakeComment> = {}): FakeComment => ({
  id,
  issue: 7,
  html_url: `https://github.com/o/r/pull/7#issuecomment-${id}`,
  body: wanted("1 task").body,
  user: bot,
  ...more,
});

test("a comment is written once, then updated, and left alone when nothing has changed", async () => {
  const { result, fake, writes } = await publishing(async (deps) => [
    await upsertComment(deps, wanted("1 task")),
    await upsertComment(deps, wanted("2 tasks")),
    await upsertComment(deps, wanted("2 tasks")),
  ]);
  expect(result).toMatchObject([{ kind: "created" }, { kind: "updated" }, { kind: "unchanged" }]);
  expect(fake.state.comments).toMatchObject([{ body: wanted("2 tasks").body, issue: 7 }]);
  expect(writes).toEqual(["POST issues/7/comments", "PATCH issues/comments/1000"]);
});

test.each([
  ["a person's with our marker", comment(1, { user: ada }), "created"],
  ["ours about something else", comment(1, { body: "About." }), "created"],
  ["ours that quotes the marker", comment(1, { body: `> ${marker}` }), "created"],
  ["ours of another run", comment(1, { body: metricsMarker("20260101-000000-aaaaaa") }), "created"],
  ["ours of another pull request", comment(1, { issue: 8 }), "created"],
  ["ours with other line ends", comment(1, { body: `${marker}\r\n\r\n1 task` }), "unchanged"],
] as const)("%s is there: it is %s", async (_, known, kind) => {
  const { result } = await publishing((deps) => upsertComment(deps, wanted("1 task")), {
    prepare: ({ state }) => state.comments.push({ ...known }),
  });
  expect(result).toMatchObject({ kind });
});

test("the comment is found behind hundreds of others", async () => {
  const others = Array.from({ length: 250 }, (_, at) => comment(at, { user: ada }));
  const { result, fake } = await publishing((deps) => upsertComment(deps, wanted("1 task")), {
    prepare: ({ state }) => state.comments.push(...others, comment(999)),
  });
  expect(result).toMatchObject({ kind: "unchanged", id: 999 });
  expect(fake.seen).toHaveLength(3);
});

const breaks = (kind: FaultKind) => kind !== "stale-read";

test.each(faultKinds.filter(breaks))("%s when the comment is written: never two", async (kind) => {
  const { result, fake } = await publishing(
    async (deps) => {
      const first = await upsertComment(deps, wanted("1 task")).catch(() => "failed");
      return [first, await upsertComment(deps, wanted("1 task"))];
    },
    { prepare: (fake) => breakFirst(fake, { match: /^POST/, kind }) },
  );
  expect(fake.state.comments).toHaveLength(1);
  expect(result).toMatchObject([expect.anything(), { id: 1000 }]);
  expect(fake.violations).toEqual([]);
});

test.each(["5xx-before", "hang-after"] as const)(
  "%s when the comment is updated: it is sent again",
  async (kind) => {
    const { result, fake } = await publishing((deps) => upsertComment(deps, wanted("2 tasks")), {
      prepare: (fake) => {
        fake.state.comments.push(comment(5));
        breakFirst(fake, { match: /^PATCH/, kind, times: 2 });
      },
    });
    expect(result).toMatchObject({ kind: "updated" });
    expect(fake.state.comments).toMatchObject([{ body: wanted("2 tasks").body }]);
  },
);

test("a text with a secret is not published", async () => {
  const { result, fake } = await publishing((deps) =>
    upsertComment(deps, wanted("correct-horse-battery")),
  );
  expect(result).toMatchObject({ reason: "firewall" });
  expect(fake.seen).toEqual([]);
});
