import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ChildRequest } from "../../../app/jobs/publication.ts";
import { type ChildEnd, type ChildLimits, publishInChild } from "../../../app/publish/run-child.ts";
import type { SupervisedCommand } from "../../../src/platform/system.ts";
import { sampled, thorough } from "../../setup/sampled.ts";
import { type Reply, type Seen, startGitHubServer } from "../../support/github/server.ts";
import { renderZip, type ZipEntry } from "../../support/github/zip.ts";
import { createTestSystem } from "../../support/project/system.ts";

const token = "ghs_token_of_this_test";
/** Beyond what the kernel gives. */
const deadPid = 2 ** 22 + 1;
const none: ChildEnd = { kind: "cancelled" };

type Given = {
  zip?: Buffer;
  limits?: Partial<ChildLimits>;
  answer?: (seen: Seen) => Reply;
  /** At the same time. */
  attempts?: number;
};
type Outcome = { end: ChildEnd; logged: string[]; left: string[]; commands: SupervisedCommand[] };

/** Publishes a hostile artifact in the real child process. */
async function publish({
  zip = Buffer.alloc(0),
  limits,
  answer,
  attempts = 1,
}: Given): Promise<Outcome> {
  await using system = await createTestSystem();
  await using server = await startGitHubServer((seen) => {
    if (seen.path.startsWith("/storage")) return { body: zip };
    return answer?.(seen) ?? { status: 302, headers: { location: `${server.url}/storage` } };
  });
  const logged: string[] = [];
  const commands: SupervisedCommand[] = [];
  const parts = {
    system: {
      ...system,
      supervise: (command: SupervisedCommand) => {
        commands.push(command);
        return system.supervise(command);
      },
    },
    folder: join(system.root, "publish"),
    log: (line: string) => void logged.push(line),
  };
  const request: Omit<ChildRequest, "folder"> = {
    apiUrl: server.apiUrl,
    serverUrl: server.url,
    repository: "octo/example",
    token,
    workflow: { run: 50, url: "https://github.com/x", file: "ralph.yml", succeeded: true },
    session: { id: 7, name: "ralph-session-50-1", attempt: 1, bytes: zip.length },
    isProved: true,
  };
  // Left over by a killed child.
  const old = join(parts.folder, `ralph-tmp-${deadPid}-1-0123456789abcdef/bundle`);
  mkdirSync(old, { recursive: true });
  writeFileSync(join(old, "journal.jsonl"), "old");
  const [end = none] = await Promise.all(
    Array.from({ length: attempts }, () => publishInChild(parts, request, limits)),
  );
  return { end, logged, left: readdirSync(parts.folder), commands };
}

const journal = { name: "journal.jsonl", content: "{}\n" };
const zeros = Buffer.alloc(64 * 1024 * 1024);
const many = Array.from({ length: 50_001 }, (_, index) => ({ name: `x/${index}`, content: "" }));
const bombs: [what: string, entries: ZipEntry[], words: RegExp][] = [
  [
    "leads outside",
    [journal, { name: "../../outside", content: "x" }],
    /invalid relative path|not a bundle/,
  ],
  ["states ten gigabytes", [{ ...journal, statedBytes: 2 ** 32 - 2 }], /bytes/],
  [
    "grows beyond what it states",
    [{ name: "journal.jsonl", content: zeros, statedBytes: 10 }],
    /too many bytes|not a bundle/,
  ],
  ["has many thousand entries", many, /50001 entries/],
  [
    "has a link",
    [journal, { name: "objects.pack", content: "/etc/passwd", mode: 0o120777 }],
    /is a link/,
  ],
  ["has a name twice", [journal, journal], /twice/],
  ["is no bundle", [{ name: "other", content: "x" }], /no journal\.jsonl/],
  ["holds a journal of zeros", [{ name: "journal.jsonl", content: zeros }], /./],
];

test.each(sampled(bombs, 1))(
  "an archive that %s is refused and leaves nothing behind",
  async (_, entries, words) => {
    const { end, left } = await publish({ zip: renderZip(entries) });
    expect(end.kind === "refused" || end.kind === "broken").toBe(true);
    expect("message" in end && end.message).toMatch(words);
    expect(left).toEqual([]);
  },
);

test("the token is in no argument, environment or log line", async () => {
  const { commands, logged, end } = await publish({ zip: renderZip([journal]) });
  const [{ args = [], env = {}, input = "" } = {}] = commands;
  expect(input).toContain(token);
  expect(JSON.stringify([args, env, logged, end])).not.toContain(token);
  expect(Object.keys(env).sort()).toEqual(["HOME", "PATH", "RALPH_STATE_DIR", "TMPDIR"]);
});

test.each([
  ["too little memory", { heapMiB: 4, memoryMiB: 60 }, /memory|takes too much/],
  ["too little time", { timeoutMs: 50 }, /took too long/],
])("a child with %s is ended, and the App continues", async (_, limits, words) => {
  const { end, left } = await publish({ zip: renderZip([journal]), limits });
  expect(end).toMatchObject({ kind: "broken", message: expect.stringMatching(words) });
  expect(left).toEqual([]);
});

const verdicts = [
  [401, { isUnauthorized: true, isTemporary: false }],
  [404, { isUnauthorized: false, isTemporary: false }],
  [503, { isUnauthorized: false, isTemporary: true }],
] as const;
test.each(sampled(verdicts, 1))(
  "an answer %i shows whether a retry makes sense",
  async (status, verdict) => {
    const answer = () => ({ status, body: { message: "No" } });
    expect((await publish({ answer })).end).toMatchObject({ kind: "refused", ...verdict });
  },
);

thorough(
  "an attempt that was given up and ends later takes nothing away from the next one",
  async () => {
    const { commands, left } = await publish({ attempts: 2 });
    expect(new Set(commands.map(({ cwd }) => cwd)).size).toBe(2);
    expect(left).toEqual([]);
  },
);
