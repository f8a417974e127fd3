import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RalphError } from "../../../src/error.ts";
import { proveClone } from "../../../src/session/clean-room/prove-clone.ts";
import { proveHead } from "../../../src/session/clean-room/prove-head.ts";
import { locateProject } from "../../../src/session/open/locate-project.ts";
import { sampled, thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import {
  createProject,
  type Project,
  type ProjectOptions,
  sessionFolders,
} from "../../support/project/project.ts";

const ignoring = { files: { ".gitignore": "cache/\n" } };

/** A finished session is not changed by a proof, so tests that need no special one share it. */
let shared: Project;
beforeAll(async () => {
  shared = await finish({});
});
afterAll(() => shared[Symbol.asyncDispose]());

async function finish(options: ProjectOptions): Promise<Project> {
  const project = await createProject({ tasks: [task("T-001")], ...ignoring, ...options });
  await project.run();
  return project;
}

let rooms = 0;

/** A finished project, a copy of its bundle, and a clone of its start commit with another state directory. */
async function createFinished(options?: ProjectOptions) {
  const project = options ? await finish(options) : shared;
  const folder = join(project.folder, `room-${++rooms}`);
  const [session = "none"] = sessionFolders(project.stateDir);
  const bundle = join(folder, "bundle");
  cpSync(session, bundle, { recursive: true });
  const root = join(folder, "fresh");
  project.git("clone", "-q", "--no-local", "-b", "main", project.root, root);
  const env = { ...project.system.env, RALPH_STATE_DIR: join(folder, "state") };
  const system = { ...project.system, env };
  const request = async (cancel = new AbortController().signal) => {
    const { store } = await locateProject(system, root);
    return { root, store, bundle, cancel, notice: () => {} };
  };
  return {
    ...project,
    ...{ bundle, fresh: root, system, request },
    [Symbol.asyncDispose]: async () => {
      if (options) await project[Symbol.asyncDispose]();
    },
  };
}

describe.concurrent("in a fresh clone", () => {
  test("the head is proved and stays checked out, clean", async () => {
    await using project = await createFinished();
    const proof = await proveClone(project.system, await project.request());
    expect(proof.kind).toBe("proved");
    expect(project.gitIn(project.fresh, "rev-parse", "HEAD")).toBe(proof.head);
    expect(project.gitIn(project.fresh, "status", "--porcelain")).toBe("");
  });

  thorough("files that git ignores are named and refused: they could fake a result", async () => {
    await using project = await createFinished();
    mkdirSync(join(project.fresh, "cache"));
    writeFileSync(join(project.fresh, "cache/result"), "ok\n");
    await expect(proveClone(project.system, await project.request())).rejects.toMatchObject({
      reason: "git",
      message: "The clone is not fresh; it holds files git ignores: cache/.",
    });
  });

  test("a change is refused, and nothing of it is touched", async () => {
    await using project = await createFinished();
    writeFileSync(join(project.fresh, "a.txt"), "mine\n");
    const refused = proveClone(project.system, await project.request());
    await expect(refused).rejects.toMatchObject({ reason: "git" });
    expect(readFileSync(join(project.fresh, "a.txt"), "utf8")).toBe("mine\n");
  });

  thorough("a branch that is elsewhere is refused, with both places", async () => {
    await using project = await createFinished();
    project.gitIn(project.fresh, "checkout", "-q", "-b", "ralph/example", "origin/ralph/example");
    project.gitIn(project.fresh, "commit", "-q", "--allow-empty", "-m", "others");
    await expect(proveClone(project.system, await project.request())).rejects.toThrow(
      /ralph\/example is at \w{12} here, but the session left it at \w{12}/,
    );
  });
});

/** Both ways to a proof begin with the same doubts. */
const ways: [place: string, prove: typeof proveHead][] = [
  ["in a clone that is given", proveClone],
  ["in a clone that is made", proveHead],
];
describe.concurrent.each(sampled(ways, 1))("%s", (_, prove) => {
  test("a session that is not sound is refuted, and nothing of it is run", async () => {
    await using project = await createFinished({ gates: { mark: 'touch "$HOME/marked"' } });
    const mark = join(project.folder, "home/marked");
    rmSync(mark);
    const file = join(project.bundle, "journal.jsonl");
    writeFileSync(file, readFileSync(file, "utf8").replace("review-approved", "review-rejected"));
    const proof = await prove(project.system, await project.request());
    expect(proof).toMatchObject({ kind: "refuted", gates: [], criteria: [] });
    expect(proof.problems.join("\n")).toContain("the journal was changed");
    expect(existsSync(mark)).toBe(false);
  });

  test("a folder without a journal is refuted", async () => {
    await using project = await createFinished();
    const request = { ...(await project.request()), bundle: project.folder };
    const { kind, problems } = await prove(project.system, request);
    expect({ kind, problems }).toEqual({
      kind: "refuted",
      problems: [`${project.folder} holds no journal`],
    });
  });

  test("a session without a passed task proves nothing", async () => {
    await using project = await createFinished({ agent: { review: "signal review-rejected" } });
    const proof = await prove(project.system, await project.request());
    expect(proof).toMatchObject({
      kind: "refuted",
      problems: ["no task passed in this session, so there is nothing to prove"],
    });
  });

  test("a session that never came to its end has to do so first", async () => {
    await using project = await createFinished();
    rmSync(join(project.bundle, "objects.pack"));
    // Its commits are known here, as they are where it was killed.
    project.gitIn(project.fresh, "fetch", "-q", "origin");
    await expect(prove(project.system, await project.request())).rejects.toMatchObject({
      reason: "source",
      remedy: expect.stringContaining("`ralph run --resume`"),
    });
  });

  test("a start commit the clone does not have is not taken from the bundle", async () => {
    await using project = await createFinished();
    const git = (...args: string[]) => project.gitIn(project.fresh, ...args);
    rmSync(project.fresh, { recursive: true });
    project.git("init", "-q", "-b", "main", project.fresh);
    git("commit", "-q", "--allow-empty", "-m", "another history");
    const error = await prove(project.system, await project.request()).catch((e: RalphError) => e);
    expect(error).toMatchObject({ reason: "git", remedy: expect.stringContaining("--unshallow") });
  });

  test("a cancelled proof is neither: exit 7, at once, and nothing is left behind", async ({
    expect,
  }) => {
    const slow = 'case $PWD in */project) ;; *) touch "$HOME/started"; sleep 1000 ;; esac';
    await using project = await createFinished({ gates: { slow } });
    const controller = new AbortController();
    const request = await project.request(controller.signal);
    const proof = prove(project.system, request);
    const isStarted = () => existsSync(join(project.folder, "home/started"));
    proof.catch(() => undefined);
    await expect.poll(isStarted).toBe(true);
    controller.abort();
    await expect(proof).rejects.toMatchObject({ reason: "cancelled" });
    const left = await request.store.files.list("");
    expect(left.filter((name) => name.includes("ralph-tmp"))).toEqual([]);
  });
});
