import { gateEnvironment } from "../gates/gate-environment.ts";
import { findShell } from "../gates/run-shell.ts";
import type { GatePlace } from "../session/loop/gate-deps.ts";
import type { Scene } from "./scene.ts";

/** Where setup steps and gates of a session would run. Needs all there is. */
export async function gatePlaceOf(scene: Scene): Promise<GatePlace> {
  const { system, redact, signal: cancel } = scene;
  const [{ config }, repo, { wrap }] = [
    await scene.config(),
    await scene.repo(),
    await scene.sandbox(),
  ];
  const shell = await findShell(system, {
    root: repo.root,
    env: gateEnvironment(system.env, []),
  });
  return { system, repo, config, shell, redact, wrap, cancel };
}
