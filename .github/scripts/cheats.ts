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

Plays every known way of gaming tests and gates, and writes the table of docs/proof.md.
  --only TEXT   only those whose title contains it; writes nothing
  --jobs N      that many at a time; default: processors + 2`;

const { values } = readOptions(usage, {
  options: {
    only: { type: "string", default: "" },
    jobs: { type: "string", default: String(availableParallelism() + 2) },
  },
});
const played = cheats.filter(({ title }) => title.includes(values.only));
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
const order = new Map(played.map(({ title }, index) => [title, index]));
results.sort((a, b) => (order.get(a.title) ?? 0) - (order.get(b.title) ?? 0));
if (values.only === "") writeCheatTable(results);
const bad = results.filter(({ isSilent, complaints }) => isSilent || complaints.length > 0);
console.log(`${results.length} played, ${bad.length} bad.`);
process.exitCode = bad.length > 0 ? 1 : 0;
