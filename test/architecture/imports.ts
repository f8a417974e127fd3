import { glob, readFile } from "node:fs/promises";
import { dirname, join } from "node:path/posix";

/** One import of a file, types counted. `target` is a path from the root of the repository, or a package's name. */
export interface Import {
  file: string;
  /** The folder of the file, at most two names long: `src/core`. */
  home: string;
  target: string;
}

/** All imports of the files a pattern finds, `import()` included. */
export async function importsOf(pattern: string): Promise<Import[]> {
  const found: Import[] = [];
  for await (const file of glob(pattern)) {
    const text = await readFile(file, "utf8");
    for (const [, target = ""] of text.matchAll(/(?:from |^import |import\()"([^"\s]+)"/gm)) {
      found.push({ file, home: moduleOf(file), target: resolved(file, target) });
    }
  }
  return found;
}

const resolved = (file: string, target: string) =>
  target.startsWith(".") ? join(dirname(file), target) : target;

/** `src/core` of `src/core/state/event.ts`; `src` of `src/error.ts`. */
export const moduleOf = (path: string) => dirname(path).split("/").slice(0, 2).join("/");

/** Whether an import names a file of the repository. */
export const isOwn = ({ target }: Import) => /^(?:src|app|test|package\.json)(?:\/|$)/.test(target);

/** The first circle that imports make, as the files on it; empty when there is none. */
export function findCircle(imports: readonly Import[]): string[] {
  const edges = Map.groupBy(imports, ({ file }) => file);
  const done = new Set<string>();
  const visit = (file: string, path: string[]): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const { target } of edges.get(file) ?? []) {
      const circle = visit(target, [...path, file]);
      if (circle.length > 0) return circle;
    }
    done.add(file);
    return [];
  };
  for (const file of edges.keys()) {
    const circle = visit(file, []);
    if (circle.length > 0) return circle;
  }
  return [];
}
