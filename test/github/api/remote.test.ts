import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { System } from "../../../src/platform/system.ts";
import {
  createPublishedProject,
  type Machine,
  type PublishedProject,
} from "../../support/github/published-project.ts";
import { type GitHubServer, startGitHubServer } from "../../support/github/server.ts";
import { branch } from "../../support/project/project.ts";

const token = "ghs_0123456789abcdefghij0123456789abcd";
const header = Buffer.from(`x-access-token:${token}`).toString("base64");

let origin: PublishedProject;
beforeAll(async () => {
  origin = await createPublishedProject();
});
afterAll(() => origin[Symbol.asyncDispose]());

type Scene = { machine: Machine; server: GitHubServer };

/** The copy's repository over HTTP; `before` sees each request before it is served. */
async function serve(name: string, before = (_: string, __: Machine): void => {}) {
  const machine = origin.copy(name);
  const root = join(machine.bare, "../..");
  const hosting = { root, token, before: (service: string) => before(service, machine) };
  return { machine, server: await startGitHubServer(() => ({ status: 404 }), hosting) };
}

const publish = ({ machine, server }: Scene, given = token, system: Partial<System> = {}) =>
  machine.publish({ remote: { url: `${server.url}/owner/name.git`, token: given } }, system);
const tipOf = ({ machine }: Scene) => machine.remoteGit("rev-parse", `refs/heads/${branch}`);

describe("a branch pushed over HTTP", () => {
  test("arrives, with a token that appears in no argument", async () => {
    const scene = await serve("http");
    await using _ = scene.server;
    const args: string[] = [];
    const ask: System["ask"] = (command) => {
      args.push(...command.args);
      return scene.machine.system.ask(command);
    };
    expect(await publish(scene, token, { ask })).toMatchObject({ kind: "pushed" });
    expect(tipOf(scene)).toBe(origin.committed.at(-1)?.commit);
    expect(args.join(" ")).toContain("--force-with-lease");
    expect(args.filter((arg) => arg.includes(token) || arg.includes(header))).toEqual([]);
    expect(await publish(scene)).toMatchObject({ kind: "up-to-date" });
  });

  test("with a token that is refused names the permission", async () => {
    const scene = await serve("refused");
    await using _ = scene.server;
    await expect(publish(scene, "wrong-token-0000")).rejects.toMatchObject({
      reason: "git",
      remedy: expect.stringContaining("contents: write"),
    });
  });

  const moments: [when: string, service: string][] = [
    ["after the read", "info/refs?service=git-receive-pack"],
    ["while it is under way", "git-receive-pack"],
  ];
  test.each(moments)("does not move what a person pushed %s", async (when, moment) => {
    let theirs = "";
    const scene = await serve(when.replaceAll(" ", "-"), (service, machine) => {
      if (service === moment && theirs === "") theirs = machine.personPushes(branch);
    });
    await using _ = scene.server;
    await expect(publish(scene)).rejects.toMatchObject({
      reason: "git",
      message: expect.stringContaining(`is at ${theirs}`),
    });
    expect(theirs).not.toBe("");
    expect(tipOf(scene)).toBe(theirs);
  });

  test("counts as pushed when the connection breaks after it", async () => {
    const scene = await serve("broken", (service, machine) => {
      if (service !== "git-receive-pack") return;
      // As if the push had arrived and only its answer was lost.
      machine.remoteGit("fetch", "-q", origin.project.root, branch);
      machine.remoteGit("update-ref", `refs/heads/${branch}`, "FETCH_HEAD");
      throw new Error("lost");
    });
    await using _ = scene.server;
    expect(await publish(scene)).toMatchObject({ kind: "pushed" });
  });

  test("does not follow a redirection", async () => {
    const machine = origin.copy("redirected");
    await using other = await startGitHubServer(({ path }) => ({
      status: 301,
      headers: { location: `http://localhost:1${path}` },
    }));
    const remote = { url: `${other.url}/owner/name.git`, token };
    await expect(machine.publish({ remote })).rejects.toMatchObject({ reason: "git" });
  });

  test.each([
    "http://github.example/o/n.git",
    "ssh://git@github.com/o/n",
    "ext::sh -c id",
    "file:///x",
  ])("is not sent to %s", async (url) => {
    const machine = origin.copy(url.replaceAll(/\W+/g, "-"));
    await expect(machine.publish({ remote: { url, token } })).rejects.toMatchObject({
      reason: "config",
      message: expect.stringContaining("not an https address"),
    });
  });
});
