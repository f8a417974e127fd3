import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import {
  type Cancellation,
  cancel,
  createCancelTemplate,
  resumeFaults,
  scenes,
} from "../support/crash/cancelled-run.ts";
import type { CrashTemplate } from "../support/crash/project.ts";
import { amount } from "../support/torture/amount.ts";

const count = amount(28, 98);
const build = new URL("../../.github/scripts/build.ts", import.meta.url).pathname;

test("signals at random moments of any scene end a session honestly (G11)", async ({
  task: { meta },
}) => {
  execFileSync(process.execPath, [build]);
  await using template = await createCancelTemplate();
  const faults: string[] = [];
  for (let nth = 0; nth < count; nth++) faults.push(...(await cancelOnce(template, nth)));
  meta.figure = `${count} cancelled, ${faults.length} faults`;
  expect(faults).toEqual([]);
}, 1_800_000);

async function cancelOnce(template: CrashTemplate, nth: number): Promise<string[]> {
  using project = template.copy(`cancel-${nth}`);
  const faults = await cancel(project, cancellation(nth));
  // A sample goes on to its end.
  return nth % 5 === 0 ? [...faults, ...(await resumeFaults(project))] : faults;
}

function cancellation(nth: number): Cancellation {
  const scene = scenes[nth % scenes.length] ?? "hang";
  return {
    scene,
    signal: nth % 3 === 0 ? "SIGTERM" : "SIGINT",
    delayMs: Math.round(Math.random() * (scene === "anywhere" ? 600 : 400)),
    times: nth % 4 === 0 ? 3 : 1,
  };
}
