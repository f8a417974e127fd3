import { examplePart, holdsExamples } from "../../core/checks/examples.ts";
import { type Hunk, isUnnoticeable, spread } from "../../core/checks/hunks.ts";
import type { FactOf } from "../../core/state/event.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { treeWithout } from "../../git/trees/tree-with.ts";
import type { SessionContext } from "../loop/session-context.ts";
import { layOwnTests, testsFrom, textsOf } from "./lay-own-tests.ts";
import { planMutants } from "./plan-mutants.ts";

type Taken = Pick<FactOf<"proof_planned">, "hunks" | "left_out" | "mutants">;
export const noHunks: Taken = { hunks: [], left_out: [] };

/** A task's work, and its changes to files of the product. */
type Work = { base: string; tree: string; product: readonly Hunk[] };

/** The task's tree without each of its changes to the product, as many as the configuration allows, spread evenly. */
export async function takeBack(session: SessionContext, work: Work): Promise<Taken> {
  const { repo } = session;
  const { base, tree } = work;
  const { changes, noticeable } = await sortHunks(session, work);
  const mutants = await planMutants(session, { base, tree, hunks: noticeable });
  const taken: Taken = { hunks: [], left_out: [], mutants };
  for (const { path, line, patch, isTest } of changes) {
    const without = await treeWithout(repo, { tree, patch });
    if (without === undefined) taken.left_out.push({ path, because: "cannot be taken back alone" });
    else if (isTest) taken.hunks.push({ path, line, tree: without, old_test: true });
    else
      taken.hunks.push({
        path,
        line,
        tree: await layOwnTests(repo, { tree: without, from: tree, paths: [path] }),
      });
  }
  return taken;
}

/** The changes to take back; `isTest`: a changed test or example within a file of the product. */
async function sortHunks({ repo, policy }: SessionContext, { base, tree, product }: Work) {
  const examples = await partsInExamples(repo, base, product);
  const wholes = new Set(examples.map(({ patch }) => patch));
  const noticeable = product.filter((hunk) => !(isUnnoticeable(hunk) || wholes.has(hunk.patch)));
  const changes: (Hunk & { isTest: boolean })[] = [];
  for (const hunk of spread(noticeable, policy.proof.witnessHunks)) {
    const { path, line } = hunk;
    const isTest = line >= (await testsFrom(repo, { treeish: tree, path }));
    if (!isTest || removesLines(hunk)) changes.push({ ...hunk, isTest });
  }
  for (const hunk of spread(examples, policy.proof.witnessHunks)) {
    changes.push({ ...hunk, isTest: true });
  }
  return { changes, noticeable };
}

/** What the hunks change of examples in comments that run as tests. */
async function partsInExamples(repo: Repository, base: string, hunks: readonly Hunk[]) {
  const parts: Hunk[] = [];
  for (const [path, own] of Map.groupBy(hunks, ({ path }) => path)) {
    const isAsked = holdsExamples(path) && own.some(removesLines);
    const [before = ""] = isAsked ? await textsOf(repo, path, [base]) : [];
    parts.push(...own.flatMap((hunk) => examplePart(hunk, before) ?? []));
  }
  return parts;
}

const removesLines = ({ patch }: Hunk) => /^-(?!-- )/m.test(patch);
