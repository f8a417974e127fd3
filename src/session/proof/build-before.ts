import { buildOutputs } from "../../core/proof/planted-files.ts";
import { taskOf } from "../../core/state/session-state.ts";
import { type GateResult, gateKeyOf } from "../../gates/gates.ts";
import type { Repository } from "../../git/repository/repository.ts";
import type { Gate } from "../../schema/config/gates.ts";
import type { SessionContext } from "../loop/session-context.ts";
import { treeIn } from "../workers/workers.ts";

/** The ignored files and folders a gate wrote in a checkout, and the tree it judged there. */
type Built = { outputs: readonly string[]; tree: string | undefined };

const builtIn = new WeakMap<Repository, Map<string, Built>>();

type Wrote = {
  ignored: readonly string[];
  changed: readonly string[];
  tests: GateResult["tests"] | undefined;
};

/** Remembers what a gate built; one that counts tests builds nothing for others. */
export function noteBuilt(
  { repo }: SessionContext,
  gate: Gate,
  { ignored, changed, tests }: Wrote,
): void {
  const built = builtIn.get(repo) ?? new Map<string, Built>();
  builtIn.set(repo, built);
  const key = gateKeyOf(gate);
  const before = built.get(key)?.outputs ?? [];
  const outputs = tests ? [] : [...new Set([...before, ...buildOutputs(ignored, changed)])];
  built.set(key, { outputs, tree: treeIn(repo) });
}

/** Builds again what earlier gates built for another tree, because tests may read it. Answers the result of a gate that failed. */
export async function buildBefore(
  context: SessionContext,
  gate: Gate,
  { task, run }: { task: string; run: (gate: Gate) => Promise<GateResult> },
): Promise<GateResult | undefined> {
  const { repo, system } = context;
  for (const earlier of gatesBefore(context, gate, task)) {
    const built = builtIn.get(repo)?.get(gateKeyOf(earlier));
    if (built && isCurrent(built, repo)) continue;
    for (const path of built?.outputs ?? []) await system.files(repo.root).remove(path);
    const result = await run(earlier);
    if (context.cancel.aborted) return undefined;
    if (result.status === "failed" && isBuilding(repo, earlier))
      return { ...result, isLoadError: true };
  }
  return undefined;
}

const isCurrent = ({ outputs, tree }: Built, repo: Repository) =>
  outputs.length === 0 || tree === treeIn(repo);

const isBuilding = (repo: Repository, gate: Gate) =>
  (builtIn.get(repo)?.get(gateKeyOf(gate))?.outputs.length ?? 0) > 0;

/** Those of the level `build` come first, as far as they ran on the task's work. */
function gatesBefore(
  { config, journal }: SessionContext,
  gate: Gate,
  task: string,
): readonly Gate[] {
  const { build, full } = config.gates;
  const own = gateKeyOf(gate);
  const keys = full.map(gateKeyOf);
  const earlier = full.slice(0, Math.max(0, keys.indexOf(own)));
  const known = task === "" ? {} : taskOf(journal.state, task).gates;
  const ran = new Set(Object.values(known).map(({ key }) => key));
  const first = build.filter((each) => {
    const key = gateKeyOf(each);
    return key !== own && !keys.includes(key) && ran.has(key);
  });
  return [...first, ...earlier].filter(({ kind }) => kind !== "mutation");
}
