import { chmodSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { apiPushLines } from "../../../src/github/push/api-commits.ts";
import { sampled, thorough, times } from "../../setup/sampled.ts";
import { type ApiScene, branch, createApiScene } from "../../support/github/api-push.ts";
import { randomFaults } from "../../support/github/fake-faults.ts";

/** Trees and messages of the branch, oldest first, here and on GitHub. */
function lines({ project, remoteGit, base }: ApiScene) {
  const args = (tip: string) => ["log", "--reverse", "--format=%T %s", `${base}..${tip}`];
  return { local: project.git(...args("HEAD")), remote: remoteGit(...args(branch)) };
}

function expectEqual(scene: ApiScene): void {
  const { local, remote } = lines(scene);
  expect(remote).toBe(local);
  expect(scene.remoteGit("fsck", "--strict")).not.toMatch(/error|missing/);
}

/** Two commits: one adds, one changes. */
function work({ project, commit }: ApiScene): string[] {
  project.write("b.txt", "b\n");
  const first = commit("feat(T-001): one\n\nRalph-Task: T-001");
  project.write("b.txt", "c\n");
  return [first, commit("feat(T-002): two\n\nRalph-Task: T-002")];
}

describe("commits made through the API", () => {
  test("are the same trees and messages, signed, with other ids; a second time nothing is sent", async () => {
    await using scene = await createApiScene();
    const [first, second] = work(scene);
    const push = await scene.push();
    expectEqual(scene);
    const [one = "", two = ""] = scene
      .remoteGit("rev-list", "--reverse", `main..${branch}`)
      .split("\n");
    expect(push).toEqual({
      kind: "pushed",
      tip: two,
      pairs: [
        { local: first, remote: one },
        { local: second, remote: two },
      ],
      ids: new Map([
        [first, one],
        [second, two],
      ]),
      unverified: undefined,
    });
    expect(scene.remoteGit("cat-file", "commit", two)).toMatch(
      /author github-actions\[bot\].*gpgsig/s,
    );
    expect(scene.writes()).toEqual([
      "POST trees",
      "POST commits",
      "POST trees",
      "POST commits",
      "POST refs",
    ]);
    expect(await scene.push()).toMatchObject({ kind: "pushed", tip: two, pairs: [] });
    expect(scene.writes()).toHaveLength(5);
    expect(scene.fake.violations).toEqual([]);
  });

  test("cover every kind of change: binary, program, link, empty, removed, folder for file and back", async () => {
    await using scene = await createApiScene({ "x/y.txt": "y\n", z: "z\n", "ä b.txt": "old\n" });
    const { project, commit, remoteGit } = scene;
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    rmSync(join(project.root, "x"), { recursive: true });
    rmSync(join(project.root, "z"));
    project.write("x", "now a file\n");
    project.write("z/deep/er.txt", "now a folder\n");
    project.write("bytes.bin", bytes);
    project.write("same.bin", bytes);
    project.write("windows.txt", "\ufefföne\r\ntwo");
    project.write("empty", "");
    project.write("large.txt", "line\n".repeat(20_000));
    rmSync(join(project.root, "ä b.txt"));
    project.write("moved ü.txt", "old\n");
    chmodSync(join(project.root, "a.txt"), 0o755);
    symlinkSync("a.txt", join(project.root, "link"));
    commit("everything");
    commit("nothing at all");
    await scene.push();
    expectEqual(scene);
    expect(remoteGit("ls-tree", branch, "link", "a.txt")).toMatch(/^100755.*\n120000/);
    // bytes.bin and same.bin are one, empty and link and large.txt have one each.
    expect(scene.writes().filter((write) => write === "POST blobs")).toHaveLength(4);
    expect(scene.writes().filter((write) => write === "POST trees")).toHaveLength(2);
  });

  thorough("are sent as several trees when there are many files", async () => {
    await using scene = await createApiScene();
    for (let at = 0; at < 120; at++) scene.project.write(`many/${at}.txt`, `${at}\n`);
    scene.commit("many");
    await scene.push();
    expectEqual(scene);
    expect(scene.writes()).toEqual([...Array(2).fill("POST trees"), "POST commits", "POST refs"]);
  });

  test("continue existing commits: the branch moves forward, never back", async () => {
    await using scene = await createApiScene();
    work(scene);
    await scene.push();
    scene.project.write("d.txt", "d\n");
    scene.commit("feat(T-003): three");
    await scene.push();
    expectEqual(scene);
    expect(scene.writes().slice(5)).toEqual([
      "POST trees",
      "POST commits",
      expect.stringMatching(/^PATCH refs/),
    ]);
  });

  test("follow commits that were pushed by git", async () => {
    await using scene = await createApiScene();
    const { project, remoteGit } = scene;
    const [first = ""] = work(scene);
    remoteGit("fetch", "-q", project.root, `${first}:refs/heads/${branch}`);
    expect(await scene.push()).toMatchObject({ pairs: [{ local: expect.anything() }] });
    expectEqual(scene);
    expect(remoteGit("rev-parse", `${branch}^`)).toBe(first);
  });

  test("include a merge, with its parents on GitHub", async () => {
    await using scene = await createApiScene();
    work(scene);
    scene.project.git("checkout", "-q", "-b", "side", "HEAD~1");
    scene.project.write("side.txt", "s\n");
    scene.commit("side");
    scene.project.git("merge", "-q", "--no-ff", "-m", "join", "main");
    await scene.push();
    expect(lines(scene).remote.split("\n").toSorted()).toEqual(
      lines(scene).local.split("\n").toSorted(),
    );
    const parents = scene.remoteGit("log", "-1", "--format=%P", branch);
    expect(parents.split(" ").map((id) => scene.remoteGit("log", "-1", "--format=%s", id))).toEqual(
      ["side", "feat(T-002): two"],
    );
  });
});

describe("a branch", () => {
  test("that someone moves meanwhile stays as they left it", async () => {
    await using scene = await createApiScene();
    work(scene);
    const theirs = () => scene.remoteGit("update-ref", `refs/heads/${branch}`, "main");
    expect(await scene.push((route) => void (route.includes("commits") && theirs()))).toEqual({
      kind: "moved",
      tip: scene.base,
    });
    expect(scene.tip()).toBe(scene.base);
  });

  test("that someone resets meanwhile is not moved forward", async () => {
    await using scene = await createApiScene();
    work(scene);
    await scene.push();
    scene.commit("feat(T-003): three");
    const back = () => scene.remoteGit("update-ref", `refs/heads/${branch}`, "main");
    await expect(
      scene.push((route) => void (route.includes("commits") && back())),
    ).resolves.toMatchObject({ kind: "moved", tip: scene.base });
    expect(scene.tip()).toBe(scene.base);
  });

  test("cannot be made on a start commit that is not on GitHub", async () => {
    await using scene = await createApiScene();
    scene.commit("local only");
    const base = scene.project.git("rev-parse", "HEAD");
    work(scene);
    await expect(scene.push(undefined, base)).rejects.toMatchObject({
      reason: "git",
      remedy: expect.stringContaining("Push the base branch first"),
    });
  });
});

test("commits made with a person's token are not signed, and the log says so", async () => {
  await using scene = await createApiScene({}, { viewer: { login: "ada", type: "User" } });
  work(scene);
  const push = await scene.push();
  expect(push).toMatchObject({ unverified: "unsigned" });
  const [ids, plain] = apiPushLines(push);
  expect(ids).toMatch(/^GitHub made 2 commits with new ids: [0-9a-f]{12} is [0-9a-f]{12}, /);
  expect(plain).toBe(
    "GitHub does not show them as verified (unsigned): it signs only commits made with the token of an App or a job.",
  );
});

const moments = Array.from({ length: 5 }, (_, at) => at);
test.each(sampled(moments, 1))(
  "a push killed before write %i is complete after another try",
  async (at) => {
    await using scene = await createApiScene();
    work(scene);
    let writes = 0;
    const kill = () => {
      if (writes++ >= at) throw new Error("killed");
    };
    await expect(scene.push(kill)).rejects.toThrow("killed");
    await scene.push();
    expectEqual(scene);
  },
);

test("a push through every kind of fault succeeds, with each commit once on the branch", async () => {
  await using scene = await createApiScene();
  work(scene);
  scene.project.write("blob.bin", Buffer.from([0, 1, 2]));
  scene.commit("feat(T-003): three");
  for (let seed = 1; seed <= times(2, 4); seed++) {
    scene.remoteGit("update-ref", "-d", `refs/heads/${branch}`);
    scene.fake.breakBy(randomFaults(seed, 0.4));
    for (let attempt = 0; ; attempt++) {
      const result = await scene.push().catch((error: unknown) => error);
      if (!(result instanceof Error)) break;
      if (attempt > 30) throw result;
    }
    expectEqual(scene);
  }
  expect(scene.fake.faults.length).toBeGreaterThan(4);
});
