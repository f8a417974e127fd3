import { listPaths } from "../git/list-paths.ts";
import { gateEnvironment } from "../verify/gate-environment.ts";
import type { GateDeps } from "../verify/gates.ts";
import { findShell } from "../verify/run-shell.ts";
import type { Scene } from "./scene.ts";

/** What gates and setup steps of a session would get, in the work tree as it is. Needs all there is. */
export async function gateDepsOf(scene: Scene): Promise<GateDeps> {
  const { system, redact, signal } = scene;
  const { config } = await scene.config();
  const [repo, sandbox] = [await scene.repo(), await scene.sandbox()];
  const { root, worktree } = repo;
  const env = gateEnvironment(system.env, [...config.gates.env, ...config.sandbox.env]);
  return {
    supervise: system.supervise,
    shell: await findShell(system, { root, env }),
    root,
    env,
    wrap: (program) => sandbox.wrap(program, { worktree }),
    redact,
    signal,
    paths: () => listPaths(repo),
  };
}
