import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { ModuleMutant } from "./mutants.ts";

const child = new URL("try-mutants.ts", import.meta.url).pathname;

/** Without an answer for so long a mutant never ends, which its tests notice. */
const hangMs = 180_000;

/** The mutants that no test notices. Throws if the tests fail without any. */
export async function findSurvivors(mutants: readonly ModuleMutant[]): Promise<ModuleMutant[]> {
  const survivors: ModuleMutant[] = [];
  for (let waiting = mutants; waiting.length > 0; ) {
    const answers = await tryMutants(waiting);
    survivors.push(...waiting.filter((_, index) => answers[index] === false));
    // The next one was never answered for.
    waiting = waiting.slice(answers.length + 1);
  }
  return survivors;
}

/** Whether each was noticed, up to one that never ends. */
async function tryMutants(mutants: readonly ModuleMutant[]): Promise<boolean[]> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:VITEST|TORTURE|FC_RUNS|NODE_ENV)/.test(name),
    ),
  );
  const tried = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", child], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(tried, "exit");
  const kill = () => tried.kill("SIGKILL");
  let timer = setTimeout(kill, hangMs);
  tried.stdin.end(JSON.stringify(mutants));
  const answers: boolean[] = [];
  for await (const line of createInterface(tried.stdout)) {
    answers.push(line === "true");
    clearTimeout(timer);
    timer = setTimeout(kill, hangMs);
  }
  clearTimeout(timer);
  const [code] = await ended;
  const [isGreen, ...noticed] = answers;
  if (!isGreen) throw new Error("The tests of the security modules fail without a mutant.");
  if (code !== null && noticed.length < mutants.length) throw new Error(`It ended with ${code}.`);
  return noticed;
}
