import { changedLines, type Hunk, spread } from "../../core/checks/hunks.ts";
import { type Mutant, mutantsOf } from "../../core/proof/mutants.ts";
import type { FactOf } from "../../core/state/event.ts";
import { treeEdited } from "../../git/trees/tree-with.ts";
import type { SessionContext } from "../loop/session-context.ts";
import { testsFrom } from "./lay-own-tests.ts";

/** Most files, and most lines of each, that are changed to see whether a test notices; one that is noticed settles a file. */
const maxFiles = 3;
const maxLines = 3;

type Planned = NonNullable<FactOf<"proof_planned">["mutants"]>;

/** Trees with one line of the task's code changed, and on the base one line it replaced: tests may no longer notice changes. */
export async function planMutants(
  session: SessionContext,
  { base, tree, hunks }: { base: string; tree: string; hunks: readonly Hunk[] },
): Promise<Planned> {
  const files = await Promise.all(
    changedLines(hunks).map(async ({ path, added, removed }) => {
      const [now, old] = await Promise.all([
        testsFrom(session.repo, { treeish: tree, path }),
        testsFrom(session.repo, { treeish: base, path }),
      ]);
      const work = added.filter(({ line }) => line < now);
      const gone = removed.filter(({ line }) => line < old);
      return { path, work: mutantsOf(path, work, gone), base: mutantsOf(path, gone) };
    }),
  );
  const planned: Planned = [];
  for (const file of spread(
    files.filter(({ work, base }) => work.length + base.length > 0),
    maxFiles,
  )) {
    const { path } = file;
    planned.push(...(await edited(session, { path, of: "work", tree, mutants: file.work })));
    const before = { path, of: "base", tree: base, mutants: file.base } as const;
    planned.push(...(await edited(session, before)));
  }
  return planned;
}

type Side = { path: string; of: "work" | "base"; tree: string; mutants: readonly Mutant[] };

async function edited(
  { repo }: SessionContext,
  { path, of, tree, mutants }: Side,
): Promise<Planned> {
  const planned: Planned = [];
  for (const mutant of mutants) {
    if (planned.length === maxLines) break;
    const made = await treeEdited(repo, { tree, edit: { path, ...mutant } });
    if (made !== undefined) planned.push({ path, line: mutant.line, of, tree: made });
  }
  return planned;
}
