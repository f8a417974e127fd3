import type * as z from "zod";
import { RalphError } from "../../error.ts";
import type { System } from "../../platform/system.ts";

/** Facts that a step with the token reads for the later steps without it, kept as a file of the job. */
export interface Handoff<Facts> {
  /** The file's name. */
  name: string;
  schema: z.ZodType<Facts>;
  /** The message for a file that is missing. */
  missing: string;
}

/** Ten thousand pull requests and a full issue stay below this. */
const maxBytes = 16 * 1024 * 1024;

type Job = Pick<System, "files" | "env">;

const folderIn = ({ files, env }: Job) => files(env.RUNNER_TEMP || "/tmp");
const pathOf = (name: string) => `ralph-known/${name}`;

/** Writes facts for a later step of this job. */
export async function writeHandoff<Facts>(
  job: Job,
  { name, schema }: Handoff<Facts>,
  facts: Facts,
): Promise<void> {
  await folderIn(job).write(pathOf(name), `${JSON.stringify(schema.parse(facts))}\n`);
}

/** Reads the facts of an earlier step (exit 1 without them). Callers may trust the form, not the texts. */
export async function readHandoff<Facts>(
  job: Job,
  { name, schema, missing }: Handoff<Facts>,
): Promise<Facts> {
  const bytes = await folderIn(job).read(pathOf(name), { maxBytes });
  if (bytes) return schema.parse(JSON.parse(bytes.toString("utf8")));
  throw new RalphError("config", {
    message: missing,
    remedy: "Use action.yml unchanged: each of its steps needs the one before.",
  });
}
