import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { publishPictures } from "../../../src/github/publish/push-pictures.ts";
import { createEvidence } from "../../../src/journal/evidence.ts";
import { createFiles } from "../../../src/platform/fs/files.ts";
import { runOf, task } from "../../support/builders/session.ts";

test("evidence of a bundle that is no picture is not pushed, and the log says so", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "ralph-pictures-"));
  const bundle = createFiles(folder.path);
  const picture = await createEvidence(bundle).putFile(Buffer.from("<script>alert(1)</script>"));
  const state = runOf(
    [task("T-001")],
    [
      { type: "page_seen", task: "T-001", when: "before", tree: "t0", page: "/", picture },
      { type: "page_seen", task: "T-001", when: "after", tree: "t1", page: "/", picture },
    ],
  );
  const lines: string[] = [];
  const unused = {} as never;
  const log = (line: string) => lines.push(line);
  const shown = await publishPictures(
    { github: unused, remote: unused, bundle, log },
    { state, head: "c0" },
  );
  expect(shown).toEqual([]);
  expect(lines).toEqual([
    "The pull request shows no pictures: 001-t-001-unchanged.png is no picture, or larger than 1 MiB.",
  ]);
});
