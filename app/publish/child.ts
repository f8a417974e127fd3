import { text } from "node:stream/consumers";
import { RalphError } from "../../src/error.ts";
import { isUnsure } from "../../src/github/api/create-once.ts";
import { httpStatusOf, isRateLimited } from "../../src/github/api/to-ralph-error.ts";
import { createSystem } from "../../src/platform/create-system.ts";
import { ChildRequest, type ChildResult } from "./child-request.ts";
import { publishBundle } from "./publish-bundle.ts";

/**
 * Publishes one run, in a process of its own: what a bundle is made to break, breaks here (T45). Lines for people, then the
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

/** Bad news somebody must act on; anything else is our bug, and ends the process. */
function refusalOf(error: unknown, { folder }: ChildRequest): ChildResult {
  if (!(error instanceof RalphError)) throw error;
  const { reason, message, remedy } = error;
  const status = httpStatusOf(error);
  return {
    kind: "refused",
    reason,
    // Nobody else knows the folder.
    words: `${message.slice(0, 4000)} ${remedy.slice(0, 2000)}`.replaceAll(`${folder}/`, ""),
    isPassing: isUnsure(error) || isRateLimited(error) || isOffline(error),
    isUnauthorized: status === 401 || (reason === "git" && gitUnauthorized.test(message)),
  };
}

const gitUnauthorized = /\b401\b|Authentication failed|could not read Username/i;
const gitOffline =
  /Could not resolve host|Failed to connect|timed out|early EOF|RPC failed|unexpected disconnect|error: 5\d\d/i;

/** Neither git nor the storage of artifacts answers with a status of GitHub's. */
function isOffline({ reason, message, cause }: RalphError): boolean {
  if (reason === "git") return gitOffline.test(message);
  return reason === "source" && cause !== undefined && httpStatusOf(cause) === undefined;
}

/** Whoever has started us is gone when another process has become our parent: then nobody waits for an answer. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(7);
  }, 500).unref();
}

endWithParent();
await main();
// What is still open of a connection keeps nobody waiting.
process.exit(0);
