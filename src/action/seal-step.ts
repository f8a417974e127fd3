import { setOutput } from "@actions/core";
import { RalphError } from "../error.ts";
import { packFile } from "../loop/import-bundle.ts";
import { sealBundle } from "../loop/seal-bundle.ts";
import type { Files } from "../system/system.ts";
import { directoryOf } from "./request.ts";
import type { StepContext } from "./step.ts";

/** What can be downloaded again later; a session that large holds what belongs to no task. */
const maxBundleBytes = 512 * 1024 * 1024;

/** Makes the bundle whole, also when the process that worked on it was killed, and only then lets it be uploaded. */
export async function sealStep({ system, inputs, print }: StepContext): Promise<number> {
  const folder = system.env.RALPH_BUNDLE ?? "";
  const directory = directoryOf(inputs, system.env);
  const kind = await sealBundle(system, { directory, folder });
  if (kind === "empty") {
    print.line("The session was killed before it began; there is nothing to keep.");
    return 0;
  }
  if (kind === "sealed") print.line("The session was cut off; what had passed by then is kept.");
  const bytes = await sizeOf(system.files(folder));
  if (bytes > maxBundleBytes) throw tooLarge(bytes);
  setOutput("bundle", folder);
  return 0;
}

async function sizeOf(files: Files): Promise<number> {
  const evidence = (await files.list("evidence")).map((name) => `evidence/${name}`);
  const stats = [packFile, "journal.jsonl", ...evidence].map((path) => files.stat(path));
  return (await Promise.all(stats)).reduce((sum, stat) => sum + (stat?.bytes ?? 0), 0);
}

const tooLarge = (bytes: number) =>
  new RalphError("source", {
    message: `The session holds ${Math.round(bytes / 1024 ** 2)} MiB, more than the ${maxBundleBytes / 1024 ** 2} MiB that can be kept.`,
    remedy: "Split the tasks over several sessions, or let them add smaller files.",
  });
