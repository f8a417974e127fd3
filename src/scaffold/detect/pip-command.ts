import { mentions, type PythonManifest } from "./python-manifest.ts";

const wantedExtras = ["dev", "test", "tests", "testing", "lint"];

/**
 * Installs the project for work on it, into an environment of its own. pip takes requirements from few places only:
 * tools that stand elsewhere (dependency groups, setup.py, the environments of hatch and tox) are asked for by name.
 */
export function pipCommand(manifest: PythonManifest, tools: readonly string[]): string | undefined {
  const { requirements, hasTable, found } = manifest;
  const isPackage = hasTable("project") || hasTable("build-system") || found.includes("setup.py");
  const extras = extrasOf(manifest).filter(({ name }) => wantedExtras.includes(name));
  const names = extras.map(({ name }) => name).join(",");
  const itself = names === "" ? "--editable ." : `--editable ".[${names}]"`;
  const installed = [...requirements.values(), ...extras.map(({ text }) => text)].join("\n");
  const wanted = [
    ...[...requirements.keys()].map((file) => `--requirement ${file}`),
    ...(isPackage ? [itself] : []),
    ...tools.filter((tool) => !mentions(installed, tool)),
  ];
  if (wanted.length === 0) return undefined;
  return `python3 -m venv .venv && .venv/bin/pip install --quiet ${wanted.join(" ")}`;
}

/** Optional groups of dependencies, with the text of each. */
function extrasOf({ table }: PythonManifest): { name: string; text: string }[] {
  const lists = table("project.optional-dependencies").matchAll(
    /^([\w-]+)\s*=((?:(?!^[\w-]+\s*=)[\s\S])*)/gm,
  );
  return [...lists].map(([, name = "", text = ""]) => ({ name, text }));
}
