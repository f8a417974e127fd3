import { expect } from "vitest";
import { type DetectOptions, detectProject } from "../../../src/scaffold/detect/detect-project.ts";
import { renderConfig } from "../../../src/scaffold/write/render-config.ts";
import { parseConfig } from "../../../src/sources/config-file.ts";
import { createTestSystem } from "../../support/project/system.ts";

export type Tree = Record<string, string | object>;

/** Also renders: whatever is detected, the configuration has to be valid. */
export async function detect(tree: Tree, options: Partial<DetectOptions> = {}) {
  await using system = await createTestSystem();
  const files = system.files(system.root);
  for (const [path, content] of Object.entries(tree)) {
    await files.write(path, typeof content === "string" ? content : JSON.stringify(content));
  }
  const detected = await detectProject(files, { baseBranch: "main", ...options });
  const text = renderConfig(detected);
  const { config } = parseConfig(Buffer.from(text), "ralph.yml");
  expect(config.gates.full.map(({ name }) => name)).toEqual(detected.gates.map(({ name }) => name));
  return {
    ...detected,
    text,
    setup: detected.setup.map(({ cmd }) => cmd),
    gates: detected.gates.map(({ name, cmd }) => `${name}: ${cmd}`),
    redBecause: detected.gates.flatMap(({ redBecause = [] }) => redBecause),
  };
}
