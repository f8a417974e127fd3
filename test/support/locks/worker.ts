import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createFiles } from "../../../src/platform/fs/files.ts";
import { updateLocked } from "../../../src/platform/locks/file-locks.ts";

// A worker of the lock contest that uses ours: node worker.ts FOLDER INDEX COUNT PAUSE_MS HOLDS
const [folder = "", index = "", count = "", pauseMs = "", holds = ""] = process.argv.slice(2);
const files = createFiles(folder);
const journal = `${folder}/journal-${index}`;
const locks = ["lock"];
let done = 0;

/** The whole process stands still, as one that is stopped or swapped out would. */
function hold(moment: "a" | "b"): void {
  const mark = `${folder}/held-${index}-${done}`;
  if (!holds.split(",").includes(`${moment}${done}`) || existsSync(mark)) return;
  writeFileSync(mark, "");
  writeFileSync(1, "holding\n");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function added(text: string): { text: string; total: number } {
  const lines = text.trimEnd().split("\n");
  const total = Number(lines[0]) + 1;
  lines[0] = String(total);
  lines[Number(index)] = `${done + 1} ${total}`;
  return { text: `${lines.join("\n")}\n`, total };
}

async function add(): Promise<{ total: number; waitMs: number }> {
  const began = performance.now();
  let [waitMs, total] = [0, 0];
  const result = await updateLocked(files, [
    {
      path: "state",
      locks,
      merge: (text = "") => {
        waitMs = performance.now() - began;
        hold("b");
        const next = added(text);
        total = next.total;
        return next.text;
      },
    },
    { path: "none", locks, merge: () => void hold("a") },
  ]);
  if (result.kind !== "updated" || result.mechanism !== "flock") throw new Error("no lock");
  return { total, waitMs };
}

/** What was committed before we were killed, but not noted. */
async function recover(): Promise<void> {
  const own: string[] = [];
  const read = (text = "") => void own.push(...ownEntry(text));
  await updateLocked(files, [{ path: "state", locks, merge: read }]);
  done = Number(own[0]);
  const noted = existsSync(journal) ? readFileSync(journal, "utf8").trimEnd().split("\n") : [];
  if ((noted.at(-1)?.split(" ")[0] ?? "0") !== own[1]) appendFileSync(journal, `${own[1]} 0\n`);
}

const ownEntry = (text: string) => text.split("\n")[Number(index)]?.split(" ") ?? [];

await recover();
while (done < Number(count)) {
  const { total, waitMs } = await add();
  done++;
  appendFileSync(journal, `${total} ${waitMs.toFixed(1)}\n`);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * Number(pauseMs)));
}
