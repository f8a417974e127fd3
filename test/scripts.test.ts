import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { sampled } from "./setup/sampled.ts";
import { compileCache } from "./support/project/compile-cache.ts";

const folder = new URL("../.github/scripts/", import.meta.url).pathname;

test.each(sampled(["torture", "bench", "cheats", "corpus", "evaluate"], 2))(
  "`%s --help` prints its usage, and an unknown option is one sentence",
  (name) => {
    const run = (option: string) =>
      spawnSync(process.execPath, [`${folder}${name}.ts`, option], {
        encoding: "utf8",
        env: { ...process.env, ...compileCache },
      });
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
