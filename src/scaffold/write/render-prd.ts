import { strictBranch } from "../../schema/tasks/foreign/words.ts";
import type { Prd } from "../../schema/tasks/prd.ts";
import { schemaAddress } from "./published-addresses.ts";

/** A list written by ralph has a lower-case branch, even if the source had another one (compatibility 1.16). */
export function withStrictBranch(prd: Prd): Prd {
  const { branchName = "", ...rest } = prd;
  const strict = strictBranch(branchName);
  return strict === undefined || strict === branchName ? prd : { ...rest, branchName: strict };
}

/** The text of a converted task list. Pure. */
export function renderPrdFile(prd: Prd): string {
  const { project, branchName, description, ...rest } = withStrictBranch(prd);
  const list = { $schema: schemaAddress("prd"), project, branchName, description, ...rest };
  return `${JSON.stringify(list, null, 2)}\n`;
}

/** The list with its original ids, which `ralph run` does not accept (compatibility 1.19). */
export function withOriginalIds(prd: Prd): Prd {
  const { idMap, ...metadata } = prd.metadata ?? {};
  const names = new Map(Object.entries(idMap ?? {}).map(([id, name]) => [id, String(name)]));
  const own = (id: string) => names.get(id) ?? id;
  const tasks = prd.tasks.map((task) => ({
    ...task,
    id: own(task.id),
    ...(task.dependsOn && { dependsOn: task.dependsOn.map(own) }),
  }));
  return { ...prd, metadata, tasks };
}
