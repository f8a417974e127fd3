import type { GateResult } from "../gates/gates.ts";
import { runGatesInCheckout } from "../scan/run-gates-in-checkout.ts";
import type { ScanContext } from "../scan/scan-context.ts";
import { type HiddenFiles, layOver } from "./hidden-files.ts";

/** The verdict of the gates on a tree with hidden files laid over it. */
type Judged = { kind: "green" | "red" | "unknown"; gates: readonly string[] };

/** Runs the fatal gates, or only those named, on a tree in a checkout of its own. */
export async function judgeResult(
  context: ScanContext,
  { tree, hidden, only }: { tree: string; hidden: HiddenFiles; only?: readonly string[] },
): Promise<Judged> {
  const { config } = await context.config();
  const gates = config.gates.full.filter(
    ({ fatal, kind, name }) =>
      fatal && kind !== "mutation" && (only === undefined || only.includes(name)),
  );
  const runs = await runGatesInCheckout(context, gates, {
    tree,
    prepare: (root) => layOver(context.system.files(root), hidden),
  });
  const named = (wanted: readonly GateResult["status"][]) =>
    runs.filter(({ result }) => wanted.includes(result.status)).map(({ step }) => step.name);
  if (runs.some(({ isSetup, result }) => isSetup && result.status !== "passed"))
    return { kind: "unknown", gates: [] };
  if (named(["failed"]).length > 0) return { kind: "red", gates: named(["failed"]) };
  if (named(["timed_out", "not_started"]).length > 0) return { kind: "unknown", gates: [] };
  return { kind: named(["passed"]).length > 0 ? "green" : "unknown", gates: named(["passed"]) };
}
