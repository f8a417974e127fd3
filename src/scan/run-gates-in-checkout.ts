import { isRed, prepareCheckout } from "../gates/baseline.ts";
import { gateEnvironment } from "../gates/gate-environment.ts";
import { type GateDeps, type GateResult, runGate } from "../gates/gates.ts";
import { findShell } from "../gates/run-shell.ts";
import { readStartPoint } from "../git/commits/start-point.ts";
import type { Gate, SetupStep } from "../schema/config/gates.ts";
import { type GatePlace, gateDepsAt, openCheckout } from "../session/loop/gate-deps-at.ts";
import type { ScanContext } from "./scan-context.ts";

export interface GateRun {
  step: Gate | SetupStep;
  isSetup: boolean;
  result: GateResult;
}

/** Another tree than that of the current commit, and how its checkout is prepared. */
type Elsewhere = { tree: string; prepare: (root: string) => Promise<void> };

/** Runs setup steps and gates in a temporary checkout, as a baseline does, until a setup step fails. */
export async function runGatesInCheckout(
  context: ScanContext,
  gates: readonly Gate[],
  elsewhere?: Elsewhere,
): Promise<GateRun[]> {
  const place = await gatePlaceOf(context);
  const { system, repo, config } = place;
  const { tree } = elsewhere ?? (await readStartPoint(repo));
  await using checkout = await openCheckout(place, { tree, directory: `${repo.privateDir}-aside` });
  const { root, wrap, paths } = checkout;
  await elsewhere?.prepare(root);
  const there: GateDeps = { ...gateDepsAt(place), root, wrap, paths };
  const { setup } = config;
  const run = async (step: Gate | SetupStep) => {
    const ended = context.began(`${step.name}: ${step.cmd}`);
    return await runGate(there, step).finally(ended);
  };
  const prepared = await prepareCheckout({ system, root: repo.root, setup }, there, run);
  const runs: GateRun[] = prepared.map((done) => ({ ...done, isSetup: true }));
  if (runs.some(({ result }) => isRed(result))) return runs;
  for (const step of gates) {
    if (context.signal.aborted) break;
    runs.push({ step, isSetup: false, result: await run(step) });
  }
  return runs;
}

/** The environment in which a session runs its setup steps and gates. */
export async function gatePlaceOf(context: ScanContext): Promise<GatePlace> {
  const { system, redact, signal: cancel } = context;
  const [{ config }, repo, { wrap }] = [
    await context.config(),
    await context.repo(),
    await context.sandbox(),
  ];
  const shell = await findShell(system, {
    root: repo.root,
    env: gateEnvironment(system.env, []),
  });
  return { system, repo, config, shell, redact, wrap, cancel };
}
