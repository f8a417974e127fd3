import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { cheats } from "../../test/support/cheats/cheats.ts";
import { type CheatResult, playCheat } from "../../test/support/cheats/play-cheat.ts";
import { writeCheatTable } from "./docs/cheat-table.ts";
import { readOptions } from "./read-options.ts";

/**
 * Plays every way of gaming tests and gates that is known here, each in a fresh repository with a reviewer that approves
 * everything, and honest controls. Writes the table into docs/proof.md and its sum into the README. Exits with 1 when one
 * passes silently, or an honest control does not pass at once.
 */
const usage = `npm run cheats -- [--only TEXT] [--jobs N]

Plays every known way of gaming tests and gates, and writes the table of docs/proof.md. What plays with a test runner
that is not on the PATH (pytest, mocha, jest, go, cargo) is left out. Those that are not played keep their rows.
  --only TEXT   only those whose title contains it
  --jobs N      that many at a time; default: processors + 2`;

const { values } = readOptions(usage, {
  options: {
    only: { type: "string", default: "" },
    jobs: { type: "string", default: String(availableParallelism() + 2) },
  },
});
const chosen = cheats.filter(({ title }) => title.includes(values.only));
const missing = [...new Set(chosen.map(({ needs = "sh" }) => needs))].filter(isMissing);
const played = chosen.filter(({ needs = "sh" }) => !missing.includes(needs));
const results: CheatResult[] = [];
const waiting = [...played];

async function work(): Promise<void> {
  for (let cheat = waiting.shift(); cheat; cheat = waiting.shift()) {
    const result = await playCheat(cheat);
    results.push(result);
    const { title, inPlace, cleanRoom, pull, isSilent, complaints } = result;
    const mark = isSilent || complaints.length > 0 ? "FAIL" : "ok  ";
    console.log([`${mark} ${title}`, inPlace, cleanRoom, pull, ...complaints].join("\n       "));
  }
}

await Promise.all(Array.from({ length: Number(values.jobs) }, work));
writeCheatTable(results, cheats);
if (missing.length > 0) console.log(`Left out: ${missing.join(", ")} not found.`);
const bad = results.filter(({ isSilent, complaints }) => isSilent || complaints.length > 0);
console.log(`${results.length} played, ${bad.length} bad.`);
process.exitCode = bad.length > 0 ? 1 : 0;

function isMissing(program: string): boolean {
  return spawnSync("sh", ["-c", 'command -v "$1"', "sh", program]).status !== 0;
}
