/** Aborts on the first SIGINT, SIGTERM or SIGHUP; later signals change nothing (F24). */
export function createCancelSignal(program: Pick<NodeJS.Process, "on">): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    program.on(signal, () => controller.abort(signal));
  }
  return controller.signal;
}
