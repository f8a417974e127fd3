import { removeHomes } from "../../agents/call/open-home.ts";
import {
  applyVerification,
  noVerification,
  type Verification,
} from "../../core/state/verification.ts";
import type { VerifyFact } from "../../core/state/verify-event.ts";
import { planServices } from "../../core/verify/plan-services.ts";
import {
  planVerification,
  type VerifyChoices,
  type VerifyPlan,
} from "../../core/verify/verify-plan.ts";
import { RalphError, renderProblem } from "../../error.ts";
import { gateEnvironment } from "../../gates/gate-environment.ts";
import type { GateResult } from "../../gates/gates.ts";
import { findShell } from "../../gates/run-shell.ts";
import { checkSessionDir } from "../../git/worktree/session-dir.ts";
import { createEvidence } from "../../journal/evidence.ts";
import { type OwnFiles, openOwnFiles } from "../../platform/fs/own-files.ts";
import { createTemporaryName } from "../../platform/fs/temporary-file.ts";
import { createRedactor } from "../../platform/secrets/redact.ts";
import { secretValues } from "../../platform/secrets/secret-values.ts";
import type { System } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { checkLaterKeys } from "../../session/open/later-keys.ts";
import { findRoot, locateStore, openSide } from "../../session/open/locate-project.ts";
import { openSandbox } from "../../session/open/open-sandbox.ts";
import { sweepKilled } from "../../session/open/sweep-leftovers.ts";
import { verifyOnce } from "../../session/verify/verify-once.ts";
import type { VerifyPlace } from "../../session/verify/verify-place.ts";
import { configPathOf, readConfig } from "../../sources/config-file.ts";
import { applyOverrides } from "../../sources/config-overrides.ts";
import { artifactsOf } from "../../views/session-files/artifacts.ts";
import { requirePrograms } from "./check-post-verify.ts";
import { writeArtifacts } from "./write-artifacts.ts";

export type VerifyRequest = {
  directory: string;
  config: string | undefined;
  /** The session directory of a project root, absolute. */
  sessionDir: (root: string) => string;
  choices: VerifyChoices;
};

/** The output of a command while the project is verified. */
export type VerifyListener = {
  warning: (message: string) => void;
  fact: (fact: VerifyFact, verification: Verification) => void;
  gateEnded: (name: string, result: GateResult) => void;
  cancel: AbortSignal;
};

type ReadPlan = { config: Config; configPath: string; plan: VerifyPlan };

/**
 * Verifies the project as it lies in the work tree: no agent, no lock, no session. Screenshots and logs are written to the
 * session directory.
 */
export async function verifyProject(
  system: System,
  request: VerifyRequest,
  listener: VerifyListener,
): Promise<Verification> {
  const { root, config, plan } = await prepareVerification(system, request, listener);
  const { store } = await locateStore(system, root);
  await store.files.makeFolder("");
  await using repo = await openSide(system, { root, store });
  const sessionDir = await checkSessionDir(system, { root, sessionDir: request.sessionDir(root) });
  const sandbox = await openSandbox(system, { repo, config, store: store.folder });
  await using _homes = { [Symbol.asyncDispose]: () => removeHomes(system, sandbox.homes) };
  if (sandbox.warning) listener.warning(sandbox.warning);
  const kept = createTemporaryName();
  await using _ = { [Symbol.asyncDispose]: () => store.files.remove(kept) };
  const evidence = createEvidence(system.files(`${store.folder}/${kept}`));
  const files = await openArtifacts(system, { root, sessionDir });
  let verification = noVerification;
  // Shows each fact at once; pictures are counted on.
  const notice = async (fact: VerifyFact) => {
    verification = applyVerification(verification, fact) ?? verification;
    await writeArtifacts(files, artifactsOf(fact, verification.pictures), evidence.readBytes);
    listener.fact(fact, verification);
  };
  const place: VerifyPlace = {
    ...{ system, repo, config, evidence, notice, tree: "the work tree" },
    shell: await findShell(system, { root, env: gateEnvironment(system.env, []) }),
    redact: createRedactor(secretValues(system.env)),
    wrap: sandbox.wrap,
    cancel: listener.cancel,
    gateEnded: listener.gateEnded,
  };
  await verifyOnce(place, plan);
  return verification;
}

/** Reads the configuration and checks that everything that was asked for can run (exit 1). */
export async function prepareVerification(
  system: System,
  request: VerifyRequest,
  listener: Pick<VerifyListener, "warning">,
): Promise<{ root: string } & ReadPlan> {
  const root = await findRoot(system, request.directory);
  const read = await readPlan(system, root, { request, listener });
  await requirePrograms(system, root, read);
  const { store } = await locateStore(system, root);
  await sweepKilled(system, { root, store, sessionDir: request.sessionDir(root) });
  return { root, ...read };
}

/** The session directory's files, without those of the last verification. */
export async function openArtifacts(
  system: Pick<System, "files">,
  { root, sessionDir }: { root: string; sessionDir: string },
): Promise<OwnFiles> {
  const files = openOwnFiles(system, root, sessionDir);
  for (const folder of ["artifacts", "pids"]) await files.remove(folder);
  return files;
}

async function readPlan(
  system: System,
  root: string,
  { request, listener }: { request: VerifyRequest; listener: Pick<VerifyListener, "warning"> },
): Promise<ReadPlan> {
  const path = configPathOf(system.env, request.config);
  const read = await readConfig(system.files(root), path);
  for (const problem of [...read.warnings, ...checkLaterKeys(read, path)]) {
    listener.warning(renderProblem(problem));
  }
  const config = applyOverrides(read.config, { env: system.env, flags: {} });
  const planning = planVerification(config, request.choices);
  if (planning.kind !== "plan") {
    throw new RalphError("config", {
      message: planning.missing.join("\n"),
      remedy: `Add it to ${path}, or leave the option out.`,
    });
  }
  const { plan } = planning;
  if (plan.startsServices)
    planServices(config.services, plan.env).warnings.forEach(listener.warning);
  return { config, configPath: path, plan };
}
