/** Files of installed packages that change while tests run, and that are no caches: what runs next may use them. */
export function plantedFiles(paths: readonly string[]): string[] {
  return paths.filter((path) => installed.test(path) && !caches.test(path));
}

/** Whether it is a program that a shell finds before the machine's own. */
export const isPlantedProgram = (path: string): boolean =>
  /(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin)\/[^/]+$/.test(path);

const installed = /(?:^|\/)(?:node_modules|\.?venv|site-packages|vendor\/bundle)\//;
const caches =
  /\/(?:\.cache|\.vite[^/]*|\.tmp|__pycache__|\.pytest_cache)\/|\.pyc$|\/(?:\.package-lock\.json|\.yarn-integrity|\.yarn-state\.yml|\.modules\.yaml)$/;
