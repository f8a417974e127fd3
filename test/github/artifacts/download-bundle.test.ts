import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createGitHub } from "../../../src/github/api/create-github.ts";
import { downloadBundle } from "../../../src/github/artifacts/download-bundle.ts";
import {
  type ArtifactQuery,
  findSessionArtifact,
} from "../../../src/github/artifacts/session-artifact.ts";
import { pageOf } from "../../support/github/page.ts";
import { type Answers, type Reply, startGitHubServer } from "../../support/github/server.ts";
import { renderZip } from "../../support/github/zip.ts";
import { createTestSystem } from "../../support/project/system.ts";

const zip = renderZip([{ name: "journal.jsonl", content: "{}\n" }]);

function artifact(id: number, name: string, more: object = {}) {
  const run = { workflow_run: { id: 12 } };
  return { id, name, size_in_bytes: zip.length, expired: false, ...run, ...more };
}

/** Answers pages of two, whatever size is requested. */
function listing(artifacts: object[]): Answers {
  return ({ path }) => {
    const { items, headers } = pageOf(path, artifacts, 2);
    return { headers, body: { total_count: artifacts.length, artifacts: items } };
  };
}

async function find(answers: Answers, wanted: Partial<ArtifactQuery> = {}) {
  await using server = await startGitHubServer(answers);
  const github = createGitHub({ apiUrl: server.apiUrl, token: "t0ken", repository: "o/r" });
  return await findSessionArtifact(github, { runId: "12", ...wanted });
}

const all = [
  artifact(1, "logs"),
  artifact(2, "ralph-session-12-1"),
  artifact(3, "ralph-session-12-2"),
  artifact(4, "ralph-session-12-10"),
  artifact(5, "ralph-session-120-11"),
  artifact(6, "ralph-session-12-10", { workflow_run: { id: 99 } }),
];

test("the newest attempt's artifact is found on any page", async () => {
  expect(await find(listing(all))).toMatchObject({ id: 4, attempt: 10 });
  expect(await find(listing(all), { attempt: 1 })).toMatchObject({ id: 2, attempt: 1 });
});

test("of an artifact that was uploaded twice the later one counts, and suffixes are distinguished", async () => {
  const again = [artifact(7, "ralph-session-12-1"), artifact(8, "ralph-session-12-1")];
  expect(await find(listing(again))).toMatchObject({ id: 8 });
  const matrix = [artifact(1, "ralph-session-12-1-a"), artifact(2, "ralph-session-12-1-b")];
  expect(await find(listing(matrix), { suffix: "b" })).toMatchObject({ id: 2 });
  expect(await find(listing(matrix.slice(0, 1)))).toMatchObject({ id: 1 });
  await expect(find(listing(matrix))).rejects.toThrow(/or several/);
});

const refusals: [
  what: string,
  answers: Answers,
  wanted: Partial<ArtifactQuery>,
  expected: RegExp,
][] = [
  ["no artifact", listing([]), {}, /no artifact ralph-session-12-\* .*It has none/],
  [
    "no artifact of that attempt",
    listing(all),
    { attempt: 3 },
    /ralph-session-12-3 .*It has: logs, /,
  ],
  [
    "an expired artifact",
    listing([artifact(1, "ralph-session-12-1", { expired: true, expires_at: "2026-01-02" })]),
    {},
    /expired on 2026-01-02/,
  ],
  [
    "an artifact that is too large",
    listing([artifact(1, "ralph-session-12-1", { size_in_bytes: 2 ** 30 })]),
    {},
    /has 1073741824 bytes/,
  ],
  [
    "an unknown run",
    () => ({ status: 404, body: { message: "Not Found" } }),
    {},
    /run 12 in o\/r: Not Found/,
  ],
  ["an invalid id", listing(all), { runId: "12/../13" }, /is not the id of a workflow run/],
];

test.each(refusals)(
  "%s is refused, with the artifacts that exist",
  async (_, answers, wanted, expected) => {
    await expect(find(answers, wanted)).rejects.toMatchObject({
      reason: "source",
      message: expect.stringMatching(expected),
    });
  },
);

async function download(storage: () => Reply, digest?: string) {
  const system = await createTestSystem();
  const server = await startGitHubServer(({ path }) =>
    path.startsWith("/api/")
      ? { status: 302, headers: { location: `${server.url}/storage?signed=1` } }
      : storage(),
  );
  const github = createGitHub({ apiUrl: server.apiUrl, token: "t0ken", repository: "o/r" });
  const found = { id: 2, name: "ralph-session-12-1", attempt: 1, bytes: zip.length };
  const folder = join(system.root, "bundle");
  const given = { artifact: { ...found, ...(digest && { digest }) }, folder };
  const downloaded = downloadBundle({ github, system }, given);
  // Each test checks the outcome; here the download only has to end.
  await downloaded.catch(() => undefined);
  return { system, server, folder, downloaded };
}

test("an artifact is downloaded and unpacked, and its storage never sees the token", async () => {
  const digest = `sha256:${createHash("sha256").update(zip).digest("hex")}`;
  const { system, server, folder, downloaded } = await download(() => ({ body: zip }), digest);
  await using _ = server;
  await using __ = system;
  await downloaded;
  expect(readFileSync(join(folder, "journal.jsonl"), "utf8")).toBe("{}\n");
  expect(server.seen.map(({ path, authorization }) => [path, authorization])).toEqual([
    ["/api/v3/repos/o/r/actions/artifacts/2/zip", "token t0ken"],
    ["/storage?signed=1", undefined],
  ]);
});

test("a storage that fails once is asked again, with a new address", async () => {
  let count = 0;
  const flaky = () => (count++ === 0 ? { status: 503 } : { body: zip });
  const { system, server, downloaded } = await download(flaky);
  await using _ = server;
  await using __ = system;
  await downloaded;
  expect(server.seen).toHaveLength(4);
});

test.each<[string, () => Reply, string | undefined, RegExp]>([
  [
    "with other content than recorded",
    () => ({ body: zip }),
    "sha256:00",
    /GitHub recorded sha256:00/,
  ],
  [
    "that is not an archive",
    () => ({ body: Buffer.from("<html>") }),
    undefined,
    /not a ralph bundle/,
  ],
  ["whose storage is down", () => ({ status: 500 }), undefined, /the storage answered 500/],
])("an artifact %s is refused", async (_, storage, digest, expected) => {
  const { system, server, downloaded } = await download(storage, digest);
  await using __ = server;
  await using ___ = system;
  await expect(downloaded).rejects.toMatchObject({
    reason: "source",
    message: expect.stringMatching(expected),
  });
});
