import { resolve } from "node:path/posix";
import type { Command } from "commander";
import type { HeadProof } from "../../core/checks/prove.ts";
import { RalphError, stopReasons } from "../../error.ts";
import { lastSessionId, sessionIds } from "../../journal/session-store.ts";
import type { Files } from "../../platform/system.ts";
import { auditSession, isSound } from "../../session/audit/audit-session.ts";
import { proveHead } from "../../session/clean-room/prove-head.ts";
import { type LocatedProject, locateProject } from "../../session/open/locate-project.ts";
import { renderProofStep, renderVerdict } from "../../views/terminal/prove-text.ts";
import { act, type CommandHost } from "../core/act.ts";
import type { Action, CommandContext } from "../core/command.ts";
import { keepProof } from "../publish/kept-proof.ts";
import { auditJson, renderAudit } from "./audit-text.ts";

const help = `
It looks at every line of the journal, every piece of evidence, the proofs of
every passed task, and the commits with their parents, trees and trailers.
With --prove it also runs setup steps, full gates and checkable criteria of the
start commit once more, on what the session left, in a clone made for that:
what only passed thanks to ignored files or an agent's machine does not pass.
Exit 0: sound, and proved if asked for. Exit 4: refuted. Exit 6: not sound.

Examples:
  ralph audit                          the last session
  ralph audit 20260125-143052-a7b3c9   another one
  ralph audit ./session-artifact       a bundle, in a clone of its repository
  ralph audit --prove                  does the last session's work hold?`;

type AuditOptions = { prove?: boolean };

/** `ralph audit`: is what a session claims what its journal, its evidence and git say? It changes nothing. */
export function addAudit(program: Command, outside: CommandHost): void {
  const command = program
    .command("audit")
    .summary("check chain, evidence, proofs and commits of a session")
    .description("Checks whether every passed task of a session is proved.")
    .argument("[session]", "a session's id, or a folder with a bundle; default: the last session")
    .option("--prove", "run gates and criteria again, in a fresh clone without any agent")
    .addHelpText("after", help);
  act(command, outside, audit);
}

const audit: Action<AuditOptions> = async (context, options) => {
  const { system, directory, output, args } = context;
  const place = await locateProject(system, directory);
  const files = await chooseFiles(context, place, args[0]);
  const found = await auditSession(system, { place, files });
  output.result(renderAudit(found));
  const proof =
    options.prove && isSound(found) ? await prove(context, place, files.root) : undefined;
  if (output.wantsJson) output.json({ ...auditJson(found), ...(proof && { proof }) });
  if (!isSound(found)) return stopReasons.tampering;
  return proof?.kind === "refuted" ? stopReasons.gate_fatal : 0;
};

/** Each result as it comes, then the verdict. */
async function prove(
  { system, output, signal }: CommandContext,
  { root, store }: LocatedProject,
  bundle: string,
): Promise<HeadProof> {
  const proof = await proveHead(system, {
    root,
    store,
    bundle,
    cancel: signal,
    notice: (step) => output.progress(renderProofStep(step)),
  });
  await keepProof(store, proof);
  output.result(renderVerdict(proof, store.folder));
  return proof;
}

async function chooseFiles(
  { system, directory }: CommandContext,
  { store }: LocatedProject,
  named: string | undefined,
): Promise<Files> {
  const ids = await sessionIds(store);
  const id = named ?? (await lastSessionId(store));
  if (id !== undefined && ids.includes(id)) return store.session(id);
  if (named !== undefined) {
    const files = system.files(resolve(directory, named));
    if (await files.stat("journal.jsonl")) return files;
  }
  throw new RalphError("config", {
    message: named
      ? `${named} is neither a session here nor a folder with a journal.jsonl.`
      : "There is no session here yet.",
    remedy: ids.length > 0 ? `Name one of these: ${ids.join(", ")}` : "Start one with `ralph run`.",
  });
}
