import { join } from "node:path/posix";
import type { EvidenceRef } from "../../core/state/measurement.ts";
import type { VerifyFact } from "../../core/state/verify-event.ts";
import type { GateResult } from "../../gates/gates.ts";
import { pictureKind } from "../../journal/evidence.ts";
import { createTemporaryName } from "../../platform/fs/temporary-file.ts";
import type { Files } from "../../platform/system.ts";
import type { StagePlace } from "../loop/open-stage.ts";

/** Where a verification runs, and who hears of it. */
export interface VerifyPlace extends StagePlace {
  notice: (fact: VerifyFact) => Promise<void>;
  gateEnded: (name: string, result: GateResult) => void;
  /** The tree that is verified. */
  tree: string;
}

/** A folder into which a program of the project writes its results; it is removed when it is closed. */
interface ResultsFolder extends AsyncDisposable {
  /** Relative to the project root. */
  path: string;
  files: Files;
  /** Stores files as evidence: those named, and all pictures in these folders (each empty, or with a `/` at its end). */
  keep: (wanted: Wanted) => Promise<Record<string, EvidenceRef>>;
}

type Wanted = { names: readonly string[]; pictureFolders: readonly string[] };

/** Most bytes that are kept, and most pictures. */
const maxBytes = 20 * 1024 * 1024;
const maxPictures = 40;

/** Git ignores this folder, and the sandbox lets the program write into it. */
export async function openResultsFolder({
  system,
  repo,
  evidence,
}: VerifyPlace): Promise<ResultsFolder> {
  const path = join(".ralph-session", createTemporaryName());
  const project = system.files(repo.root);
  await project.makeFolder(path);
  const files = system.files(join(repo.root, path));
  return {
    path,
    files,
    keep: async ({ names, pictureFolders }) => {
      const kept: Record<string, EvidenceRef> = {};
      let room = maxBytes;
      for (const name of [...names, ...(await findPictures(files, pictureFolders))]) {
        const content = await readSmall(files, name, room);
        if (!content || (isPicture(name) && pictureKind(content) === undefined)) continue;
        room -= content.byteLength;
        kept[name] = await evidence.putFile(content);
      }
      return kept;
    },
    [Symbol.asyncDispose]: () => project.remove(path),
  };
}

/** A name that the program chose, without anything but letters, digits, `.`, `_` and `-`. */
const isPicture = (path: string) => /(?:^|\/)[\w-][\w.-]{0,99}\.(?:png|jpe?g)$/iu.test(path);

async function findPictures(files: Files, folders: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    const names = await files.list(folder === "" ? "." : folder.slice(0, -1));
    found.push(...names.filter(isPicture).map((name) => `${folder}${name}`));
  }
  return found.slice(0, maxPictures);
}

/** A link, or a file beyond the limit, is left out. */
async function readSmall(files: Files, name: string, room: number): Promise<Buffer | undefined> {
  try {
    return await files.read(name, { maxBytes: room });
  } catch {
    return undefined;
  }
}
