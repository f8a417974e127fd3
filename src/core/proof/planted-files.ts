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

/** The ignored entries a gate wrote that later gates may read: no packages, reports, caches, or output that tools rebuild by themselves. */
export function buildOutputs(ignored: readonly string[], changed: readonly string[]): string[] {
  const built = changed.filter((path) => !isAside.test(`/${path}`));
  return ignored.filter((entry) => {
    const folder = entry.endsWith("/") ? entry : `${entry}/`;
    return built.some((path) => path === entry || path.startsWith(folder));
  });
}

const isAside =
  /\/(?:node_modules|\.?venv|site-packages|vendor|target|\.gradle|\.build|_build|obj|coverage|\.nyc_output|\.tox|\.cache|\.\w+_cache|__pycache__|\.eslintcache|\.ralph[^/]*)(?:\/|$)/;
