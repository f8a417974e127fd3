import { expect, test } from "vitest";
import type { CheckAnnotation, WantedCheckRun } from "../../../src/github/pulls/check-run.ts";
import { upsertCheckRun } from "../../../src/github/pulls/check-run.ts";
import { faultKinds } from "../../support/github/fake-faults.ts";
import type { FakeGitHub } from "../../support/github/fake-github.ts";
import { breakFirst, head, publishing, run } from "../../support/github/publishing.ts";

const annotations = (count: number): CheckAnnotation[] =>
  Array.from({ length: count }, (_, at) => ({
    path: "src/a.ts",
    start_line: at + 1,
    end_line: at + 1,
    annotation_level: "failure",
    message: `Failure ${at + 1}`,
  }));

const wanted = (more: Partial<WantedCheckRun> = {}): WantedCheckRun => ({
  name: "ralph",
  sessionId: run,
  head,
  conclusion: "success",
  title: "2 of 2 tasks passed",
  summary: "All of it.\n",
  annotations: [],
  ...more,
});

const lines = ({ state }: FakeGitHub) =>
  state.checkRuns.flatMap((each) =>
    (each.annotations as CheckAnnotation[]).map(({ start_line }) => start_line),
  );

test("a check run is created once, then updated, and left alone when nothing has changed", async () => {
  const { result, fake, writes } = await publishing(async (deps) => [
    await upsertCheckRun(deps, wanted({ conclusion: undefined })),
    await upsertCheckRun(deps, wanted()),
    await upsertCheckRun(deps, wanted()),
  ]);
  expect(result).toMatchObject([{ kind: "created" }, { kind: "updated" }, { kind: "unchanged" }]);
  expect(fake.state.checkRuns).toMatchObject([
    { external_id: run, name: "ralph", head_sha: head, status: "completed", conclusion: "success" },
  ]);
  expect(writes).toEqual(["POST check-runs", "PATCH check-runs/5000"]);
});

test("each session has its own check run on a commit", async () => {
  const { fake } = await publishing(async (deps) => {
    await upsertCheckRun(deps, wanted());
    await upsertCheckRun(deps, wanted({ sessionId: "20260101-000000-aaaaaa" }));
    await upsertCheckRun(deps, wanted({ head: "d".repeat(40) }));
  });
  expect(fake.state.checkRuns).toHaveLength(3);
});

test("annotations are sent fifty at a time, and each once", async () => {
  const { result, fake, writes } = await publishing(async (deps) => {
    await upsertCheckRun(deps, wanted({ annotations: annotations(120) }));
    return upsertCheckRun(deps, wanted({ annotations: annotations(130) }));
  });
  expect(result).toMatchObject({ kind: "updated" });
  expect(lines(fake)).toEqual(annotations(130).map(({ start_line }) => start_line));
  expect(writes.map((write) => write.split(" ")[0])).toEqual(["POST", "PATCH", "PATCH", "PATCH"]);
});

test.each(faultKinds.filter((kind) => kind !== "stale-read"))(
  "%s when it is made or changed: one check run, each annotation once",
  async (kind) => {
    const all = annotations(70);
    const { fake } = await publishing(
      async (deps) => {
        await upsertCheckRun(deps, wanted({ annotations: all })).catch(() => "failed");
        await deps.clock.sleep(60_000);
        await upsertCheckRun(deps, wanted({ annotations: all })).catch(() => "failed");
        await deps.clock.sleep(60_000);
        return upsertCheckRun(deps, wanted({ annotations: all }));
      },
      {
        prepare: (fake) => {
          let left = ["POST", "PATCH"];
          fake.breakBy(({ method }) => {
            if (!left.includes(method)) return undefined;
            left = left.filter((each) => each !== method);
            return kind;
          });
        },
      },
    );
    expect(fake.faults).toEqual([kind, kind]);
    expect(fake.state.checkRuns).toHaveLength(1);
    expect(lines(fake)).toEqual(all.map(({ start_line }) => start_line));
    expect(fake.violations).toEqual([]);
  },
);

test("a stale list does not duplicate annotations", async () => {
  const { fake } = await publishing(
    (deps) => upsertCheckRun(deps, wanted({ annotations: annotations(60) })),
    {
      prepare: (fake) =>
        fake.breakBy(({ method }) => {
          if (method === "PATCH") return fake.faults.length === 0 ? "reset-after" : undefined;
          return fake.faults.length > 0 ? "stale-read" : undefined;
        }),
    },
  );
  expect(fake.faults.slice(0, 2)).toEqual(["reset-after", "stale-read"]);
  expect(lines(fake)).toEqual(annotations(60).map(({ start_line }) => start_line));
});

test("an update without an answer is given up, and can be continued later", async () => {
  const { result } = await publishing((deps) => upsertCheckRun(deps, wanted()), {
    prepare: (fake) => {
      breakFirst(fake, { match: /^POST/, kind: "5xx-before", times: 9 });
    },
  });
  expect(result).toMatchObject({ reason: "pr", remedy: expect.stringMatching(/^Try again later/) });
});

test("a summary above GitHub's limit is cut", async () => {
  const { result, fake } = await publishing((deps) =>
    upsertCheckRun(deps, wanted({ summary: "x".repeat(70_000), title: "t".repeat(300) })),
  );
  expect(result).toMatchObject({ kind: "created" });
  expect(fake.state.checkRuns[0]?.output.summary).toHaveLength(65_535);
});

test("a text with a secret is not published, not even in an annotation", async () => {
  const [note] = annotations(1);
  const secret = note && { ...note, message: "correct-horse-battery" };
  const { result, fake } = await publishing((deps) =>
    upsertCheckRun(deps, wanted({ annotations: secret ? [secret] : [] })),
  );
  expect(result).toMatchObject({ reason: "firewall" });
  expect(fake.seen).toEqual([]);
});
