import { text } from "node:stream/consumers";
import { RalphError } from "../../src/error.ts";
import { isUnsure } from "../../src/github/api/create-once.ts";
import { httpStatusOf, isRateLimited } from "../../src/github/api/to-ralph-error.ts";
import { createSystem } from "../../src/platform/create-system.ts";
import { ChildRequest, type ChildResult } from "../jobs/publication.ts";
import { publishBundle } from "./publish-bundle.ts";

/**
 * Publishes one run in a process of its own, so that a hostile bundle breaks nothing else (T45). Prints log lines, then the
 * result as the last line.
 */
async function main(): Promise<void> {
  const request = ChildRequest.parse(JSON.parse(await text(process.stdin)));
  const log = (line: string) => void process.stdout.write(`${line}\n`);
  const result = await publishBundle(createSystem(), request, log).catch((error: unknown) =>
    refusalOf(error, request),
  );
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** An expected failure; anything else is a bug and ends the process. */
function refusalOf(error: unknown, { folder }: ChildRequest): ChildResult {
  if (!(error instanceof RalphError)) throw error;
  const { reason, message, remedy } = error;
  const status = httpStatusOf(error);
  return {
    kind: "refused",
    reason,
    // The temporary folder means nothing to people.
    message: `${message.slice(0, 4000)} ${remedy.slice(0, 2000)}`.replaceAll(`${folder}/`, ""),
    isTemporary: isUnsure(error) || isRateLimited(error) || isOffline(error),
    isUnauthorized: status === 401 || (reason === "git" && gitUnauthorized.test(message)),
  };
}

const gitUnauthorized = /\b401\b|Authentication failed|could not read Username/i;
const gitOffline =
  /Could not resolve host|Failed to connect|timed out|early EOF|RPC failed|unexpected disconnect|error: 5\d\d/i;

/** Failures of git and of the artifact storage carry no status of GitHub's API. */
function isOffline({ reason, message, cause }: RalphError): boolean {
  if (reason === "git") return gitOffline.test(message);
  return reason === "source" && cause !== undefined && httpStatusOf(cause) === undefined;
}

/** When another process has become the parent, the App is gone and no one waits for the result. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(7);
  }, 500).unref();
}

endWithParent();
await main();
// Open connections must not keep the process alive.
process.exit(0);
