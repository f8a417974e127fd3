import * as z from "zod";
import { nearest } from "../base/nearest.ts";
import { Config } from "./config.ts";

/** Keys of other products; files of the same name are common among tools that run agents in a loop. */
const products: readonly { name: string; keys: readonly string[] }[] = [
  {
    name: "mikeyobrien/ralph-orchestrator",
    keys: ["event_loop", "hats", "adapters", "cli", "core", "prompt_file", "completion_promise"],
  },
  {
    name: "compound-product",
    keys: ["reportsDir", "qualityChecks", "branchPrefix", "analyzeCommand", "outputDir"],
  },
  { name: "Docker Compose", keys: ["networks", "volumes"] },
  { name: "GitHub Actions", keys: ["jobs", "runs-on", "on"] },
];

const required = ["task_source", "gates", "git"];

/**
 * The program a foreign configuration was written for: it has unknown keys and none of the required ones. One sentence
 * says more than a list of all missing keys.
 */
export function nameForeignConfig(value: unknown): string | undefined {
  const keys = Object.keys(z.record(z.string(), z.unknown()).safeParse(value).data ?? {});
  const strange = keys.filter((key) => !Object.hasOwn(Config.shape, key));
  const isOurs = (key: string) => required.includes(key) || nearest(key, required) !== undefined;
  if (strange.length === 0 || keys.some(isOurs)) return undefined;
  const product = products.find((each) => each.keys.some((key) => strange.includes(key)));
  return product?.name ?? "another program";
}
