import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const folder = new URL("../.github/scripts/", import.meta.url).pathname;

test.each(["torture", "bench", "cheats", "corpus", "evaluate"])(
  "`%s --help` prints its usage, and an unknown option is one sentence",
  (name) => {
    const run = (option: string) =>
      spawnSync(process.execPath, [`${folder}${name}.ts`, option], { encoding: "utf8" });
    expect(run("--help")).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^npm run \w+ -- /),
      stderr: "",
    });
    expect(run("--nonsense")).toMatchObject({
      status: 1,
      stdout: "",
      stderr: "Unknown option '--nonsense'; `--help` names the options.\n",
    });
  },
);
