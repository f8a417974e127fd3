import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * What an agent may leave behind: `node lurker.ts RUNNER FILE` outlives it and waits for a step that has a
 * token, to write that step's environment to FILE. It looks at nothing but the processes below RUNNER, and ends
 * after a while, or when the folder of FILE is gone.
 */
const [runner = "", file = ""] = process.argv.slice(2);
const patienceMs = 20_000;

const attempt = <Result>(work: () => Result, otherwise: Result): Result => {
  try {
    return work();
  } catch {
    return otherwise;
  }
};
const read = (path: string) => attempt(() => readFileSync(path, "latin1"), "");

const childrenOf = (pid: string): string[] =>
  attempt(() => readdirSync(`/proc/${pid}/task`), [])
    .flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).split(" "))
    .filter((child) => child !== "");

const below = (pid: string): string[] =>
  childrenOf(pid).flatMap((child) => [child, ...below(child)]);

const hasToken = (environ: string) => /\0RALPH_TOKEN=\w|Authorization: Basic /.test(environ);

const start = performance.now();
let found: string | undefined;
while (found === undefined && performance.now() - start < patienceMs && existsSync(dirname(file))) {
  found = below(runner)
    .map((pid) => read(`/proc/${pid}/environ`))
    .find(hasToken);
  await sleep(2);
}
if (found !== undefined) writeFileSync(file, found);
