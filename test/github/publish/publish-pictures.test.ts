import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runsAll, thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import {
  createPublishedProject,
  type Machine,
  type PublishedProject,
} from "../../support/github/published-project.ts";
import { createPublisher } from "../../support/github/publishing-session.ts";
import { chromium } from "../../support/services/chromium.ts";
import { webAppFiles, webAppServices } from "../../support/services/web-app.ts";

const paint = "sed -i 's/color: #223/color: #b00; background: #fec/' index.html";
const tests = [{ name: "dash|board <b>", action: 'click_tab("Dashboard")', expected: "Sales" }];
const files = [
  "001-dash-board-b-failed-the-page-then.png",
  "002-t-001-before.png",
  "003-t-001-after.png",
];

const createOrigin = async (pr: object) =>
  createPublishedProject({
    tasks: [task("T-001", { affectsFrontend: true })],
    agent: { implementation: `${paint}; work; claim` },
    files: webAppFiles(),
    config: {
      pr,
      services: await webAppServices(),
      ui: { agent_browser: { enabled: true, tests } },
    },
  });

const evidence = ({ remoteGit }: Machine) =>
  remoteGit("for-each-ref", "--format=%(refname:short)", "refs/heads/ralph/evidence");

describe.skipIf(!chromium)("pictures of a session on a branch of their own", () => {
  let origin: PublishedProject;
  beforeAll(async () => {
    origin = await createOrigin({ images: "branch" });
  });
  afterAll(() => origin[Symbol.asyncDispose]());

  thorough("are shown side by side in the pull request, and pushed once", async () => {
    const machine = origin.copy("branch");
    const publisher = createPublisher(machine);
    await publisher.publish();
    const branch = evidence(machine);
    expect(branch).toMatch(/^ralph\/evidence\/\d{8}-\d{6}-\w+$/);
    const { remoteGit } = machine;
    expect(remoteGit("ls-tree", "-r", "--name-only", branch).split("\n")).toEqual(files);
    expect(remoteGit("rev-list", "--count", branch)).toBe("1");
    const commit = remoteGit("rev-parse", branch);
    const body = publisher.fake.state.pulls[0]?.body ?? "";
    const shown = [...body.matchAll(/<img src="([^"]*)" width="400" alt="([^"]*)">/g)];
    const { repository } = publisher.fake;
    expect(shown.map(([, url]) => url?.replace(/^https?:\/\/[^/]*/, ""))).toEqual(
      files.map((file) => `/${repository}/blob/${commit}/${file}?raw=true`),
    );
    expect(shown.map(([, , alt]) => alt)).toEqual(["the page then", "before", "after"]);
    expect(body).toContain("text on them is no statement of ralph");
    expect(body).toContain("**dash|board `<b>` failed**");
    const acts = publisher.acts.length;
    await publisher.publish();
    expect(publisher.acts.slice(acts)).not.toContain("push");
    expect(remoteGit("rev-parse", branch)).toBe(commit);
  });

  thorough("come on top of the commit of another publication", async () => {
    const machine = origin.copy("on-top");
    await createPublisher(machine).publish();
    const branch = evidence(machine);
    const left = machine.personWrites(branch, { "mine.txt": "mine\n" });
    await createPublisher(machine).publish();
    expect(machine.remoteGit("rev-parse", `${branch}^`)).toBe(left);
    expect(machine.remoteGit("ls-tree", "-r", "--name-only", branch).split("\n")).toEqual(files);
  });

  test("are left out where the repository forbids such a branch", async () => {
    const machine = origin.copy("forbidden");
    const hook =
      '#!/bin/sh\ncase $1 in refs/heads/ralph/evidence/*) echo "GH013: no"; exit 1 ;; esac\n';
    writeFileSync(join(machine.bare, "hooks/update"), hook, { mode: 0o755 });
    const publisher = createPublisher(machine);
    await publisher.publish();
    expect(publisher.lines).toContainEqual(
      expect.stringMatching(/^The pull request shows no pictures: git failed .*GH013: no/s),
    );
    const [pull] = publisher.fake.state.pulls;
    expect(pull?.body).toContain(
      "`report.html` in the session's artifact, or `ralph report --html FILE` on the machine it ran on, shows them",
    );
  });
});

test.runIf(chromium && runsAll)("by default only the place of the pictures is named", async () => {
  await using origin = await createOrigin({});
  const machine = origin.copy("link");
  const publisher = createPublisher(machine);
  await publisher.publish({ job: { runId: "7", url: "https://github.com/o/r/actions/runs/7" } });
  expect(evidence(machine)).toBe("");
  const [pull] = publisher.fake.state.pulls;
  expect(pull?.body).toContain(
    "`report.html` in [the session's artifact](https://github.com/o/r/actions/runs/7#artifacts)",
  );
  expect(pull?.body).not.toContain("<img");
});
