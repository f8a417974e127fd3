/**
 * The ignored entries a gate wrote that gates after it may read, from the changed files below them: no installed packages,
 * reports and caches, and nothing of tools that build their own output again where it is out of date.
 */
export function buildOutputs(ignored: readonly string[], changed: readonly string[]): string[] {
  const built = changed.filter((path) => !isAside.test(`/${path}`));
  return ignored.filter((entry) => {
    const folder = entry.endsWith("/") ? entry : `${entry}/`;
    return built.some((path) => path === entry || path.startsWith(folder));
  });
}

const isAside =
  /\/(?:node_modules|\.?venv|site-packages|vendor|target|\.gradle|\.build|_build|obj|coverage|\.nyc_output|\.tox|\.cache|\.\w+_cache|__pycache__|\.eslintcache|\.ralph[^/]*)(?:\/|$)/;
