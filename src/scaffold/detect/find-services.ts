import type { ReadFiles } from "../../platform/system.ts";
import { commandIn, type Part, pathIn } from "./part.ts";
import { readTextFile } from "./read-optional.ts";

/** A server of the project that ralph can start, with its commands as they stand in ralph.yml. */
export type FoundService = {
  name: "backend" | "frontend";
  port: number;
  dev: string;
  prod?: string;
  build?: string;
};

/** The front end and the back end of a project, as far as their commands are certain (specs 004 2.3). */
export async function findServices(
  files: ReadFiles,
  parts: readonly Part[],
): Promise<FoundService[]> {
  const found: FoundService[] = [];
  for (const part of parts) {
    const service = frontendOf(part) ?? (await backendOf(files, part));
    if (service && !found.some(({ name }) => name === service.name)) found.push(service);
  }
  return found.toSorted((one, other) => one.name.localeCompare(other.name));
}

function frontendOf({ dependencies, folder }: Part): FoundService | undefined {
  const inside = (cmd: string) => commandIn(folder, cmd);
  if (dependencies.includes("next")) {
    return {
      ...{ name: "frontend", port: 3000, build: inside("npx next build") },
      ...{
        dev: inside("npx next dev --port {port}"),
        prod: inside("npx next start --port {port}"),
      },
    };
  }
  if (!dependencies.includes("vite")) return undefined;
  return {
    ...{ name: "frontend", port: 5173, build: inside("npx vite build") },
    dev: inside("npx vite --port {port} --strictPort"),
    prod: inside("npx vite preview --port {port} --strictPort"),
  };
}

const pythonFiles = ["main.py", "app.py", "app/main.py", "src/main.py", "src/api/main.py"];
const nodeFiles = ["server", "index", "app", "src/server", "src/index", "src/app"].flatMap(
  (name) => [`${name}.js`, `${name}.mjs`],
);

async function backendOf(files: ReadFiles, part: Part): Promise<FoundService | undefined> {
  const { dependencies, folder, title } = part;
  const inside = (cmd: string) => commandIn(folder, cmd);
  if (dependencies.includes("fastapi")) {
    const [path, name] = await findText(files, {
      folder,
      paths: pythonFiles,
      pattern: /^(\w+)\s*=\s*FastAPI\(/m,
    });
    if (path === undefined) return undefined;
    const runner = title.includes("uv") ? "uv run " : "";
    const app = `${path.replace(/\.py$/, "").replaceAll("/", ".")}:${name}`;
    const cmd = inside(`${runner}uvicorn ${app} --port {port}`);
    return { name: "backend", port: 8000, dev: cmd };
  }
  if (!dependencies.includes("express")) return undefined;
  const [path] = await findText(files, {
    folder,
    paths: nodeFiles,
    pattern: /process\.env\.(PORT)\b/,
  });
  if (path === undefined) return undefined;
  return { name: "backend", port: 8000, dev: inside(`PORT={port} node ${path}`) };
}

type Search = { folder: string; paths: readonly string[]; pattern: RegExp };

/** The first of these files that has the pattern, and what its group holds. */
async function findText(files: ReadFiles, { folder, paths, pattern }: Search) {
  for (const path of paths) {
    const text = await readTextFile(files, pathIn(folder, path));
    const found = text === undefined ? null : pattern.exec(text);
    if (found) return [path, found[1] ?? ""];
  }
  return [];
}
