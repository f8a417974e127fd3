import type { Readable } from "node:stream";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { RalphError } from "../../error.ts";
import type { System } from "../../platform/system.ts";

const mebibyte = 1024 * 1024;
/** The files of a bundle, and their size limits. */
const parts: readonly [name: RegExp, maxBytes: number][] = [
  [/^journal\.jsonl$/, 256 * mebibyte],
  [/^autopilot\.json$/, 16 * mebibyte],
  [/^objects\.pack$/, 256 * mebibyte],
  // 4 Mi characters of up to three bytes each, and the note in the middle.
  [/^evidence\/[0-9a-f]{64}$/, 13 * mebibyte],
];
const zipOptions = { lazyEntries: true, strictFileNames: true, autoClose: false };
const maxEntries = 50_000;
const maxTotalBytes = 1024 * mebibyte;

type Archive = { zip: Buffer; folder: string; name: string };
type Part = { entry: Entry; maxBytes: number };

/**
 * Unpacks the files of a bundle and nothing else. Links, paths that lead outside, duplicate names, encryption and files
 * above their limits refuse the whole archive (T45, T57). `folder` must be empty or absent.
 */
export async function unpackBundle(
  system: Pick<System, "files">,
  { zip, folder, name }: Archive,
): Promise<void> {
  const files = system.files(folder);
  if ((await files.list("")).length > 0) throw refused(name, `${folder} is not empty`);
  try {
    const archive = await fromBufferPromise(zip, zipOptions);
    const chosen = await chooseParts(archive);
    await files.makeFolder("evidence");
    for (const part of chosen) {
      const content = await readPart(archive, part);
      await files.write(part.entry.fileName, content);
    }
  } catch (error) {
    if (error instanceof RalphError) throw error;
    throw refused(name, error instanceof Error ? error.message : String(error));
  }
}

/** Reads one file of an archive, within its limit; undefined when it does not exist. */
export async function readArchived(
  { zip, name }: Omit<Archive, "folder">,
  { file, maxBytes }: { file: string; maxBytes: number },
): Promise<Buffer | undefined> {
  try {
    const archive = await fromBufferPromise(zip, zipOptions);
    if (archive.entryCount > maxEntries) throw new Error(`it has ${archive.entryCount} entries`);
    for await (const entry of archive.eachEntry()) {
      if (entry.fileName === file && !isLink(entry))
        return await readPart(archive, { entry, maxBytes });
    }
    return undefined;
  } catch (error) {
    throw refused(name, error instanceof Error ? error.message : String(error));
  }
}

async function chooseParts(archive: ZipFile): Promise<Part[]> {
  if (archive.entryCount > maxEntries) throw new Error(`it has ${archive.entryCount} entries`);
  const chosen = new Map<string, Part>();
  let total = 0;
  for await (const entry of archive.eachEntry()) {
    const part = partOf(entry);
    if (!part) continue;
    if (chosen.has(entry.fileName)) throw new Error(`it holds ${entry.fileName} twice`);
    chosen.set(entry.fileName, part);
    total += entry.uncompressedSize;
    if (total > maxTotalBytes) throw tooLarge("its content", total);
  }
  // An autopilot run without a session has only the second.
  const main = ["journal.jsonl", "autopilot.json"].find((name) => chosen.has(name));
  if (main === undefined) throw new Error("it has no journal.jsonl");
  // Last: a folder without it is not a bundle, even after an archive was refused half-way.
  const isMain = ({ entry }: Part) => entry.fileName === main;
  return [...chosen.values()].sort((one, other) => Number(isMain(one)) - Number(isMain(other)));
}

function partOf(entry: Entry): Part | undefined {
  const { fileName, uncompressedSize } = entry;
  if (isLink(entry)) throw new Error(`${JSON.stringify(fileName)} is a link`);
  const maxBytes = parts.find(([pattern]) => pattern.test(fileName))?.[1];
  if (maxBytes === undefined) return undefined;
  if (uncompressedSize > maxBytes) throw tooLarge(fileName, uncompressedSize);
  return { entry, maxBytes };
}

const tooLarge = (file: string, bytes: number) => new Error(`${file} has ${bytes} bytes`);

/** Unix programs store the file type in the upper half of these bits. */
function isLink({ externalFileAttributes }: Entry): boolean {
  const kind = (externalFileAttributes >>> 16) & 0o170000;
  return kind !== 0 && kind !== 0o100000 && kind !== 0o040000;
}

/** The stated size was checked before; the actual size is checked while reading. */
async function readPart(archive: ZipFile, { entry, maxBytes }: Part): Promise<Buffer> {
  const stream: Readable = await archive.openReadStreamPromise(entry);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(entry.fileName, bytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function refused(name: string, because: string): RalphError {
  return new RalphError("source", {
    message: `The artifact ${name} is not a ralph bundle: ${because.replace(/\.$/, "")}.`,
    remedy: "Name a run whose job uploaded a session, or start a new one with `ralph run`.",
  });
}
