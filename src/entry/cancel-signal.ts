/** Aborts on the first SIGINT or SIGTERM; more of them change nothing, the session is already ending (F24). */
export function createCancelSignal(program: Pick<NodeJS.Process, "on">): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    program.on(signal, () => controller.abort(signal));
  }
  return controller.signal;
}
