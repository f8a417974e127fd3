import { crc32, deflateRawSync } from "node:zlib";

/** An entry of an archive as somebody hostile may write it. */
export interface ZipEntry {
  name: string;
  content: string | Buffer;
  /** Kind and rights as on Unix; default: a regular file. */
  mode?: number;
  /** The size the directory states, where it lies. */
  statedBytes?: number;
}

/** Writes an archive, deflated, with nothing checked. */
export function renderZip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const content = Buffer.from(entry.content);
    const packed = deflateRawSync(content);
    const fields = describe(entry, { name, content, packed });
    const local = Buffer.concat([word(0x04034b50), short(20), fields, short(0), name, packed]);
    const central = [word(0x02014b50), short(0x0314), short(20), fields, short(0), short(0)];
    const rights = ((entry.mode ?? 0o100644) << 16) >>> 0;
    directory.push(...central, short(0), short(0), word(rights), word(offset), name);
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const count = short(entries.length);
  const end = [word(0x06054b50), short(0), short(0), count, count, word(central.length)];
  return Buffer.concat([...locals, central, ...end, word(offset), short(0)]);
}

type Parts = { name: Buffer; content: Buffer; packed: Buffer };

/** From the flags to the length of the name: the same in both places. */
function describe({ statedBytes }: ZipEntry, { name, content, packed }: Parts): Buffer {
  return Buffer.concat([
    short(0x0800),
    short(8),
    word(0),
    word(crc32(content)),
    word(packed.length),
    word(statedBytes ?? content.length),
    short(name.length),
  ]);
}

function short(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
