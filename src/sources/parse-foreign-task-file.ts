import { checkPrd } from "../schema/tasks/check-prd.ts";
import { checkForeignList } from "../schema/tasks/foreign/check-foreign-list.ts";
import type { Prd } from "../schema/tasks/prd.ts";
import { type AcceptedSource, acceptSource } from "./accept-source.ts";
import { parseJson } from "./parse-json.ts";
import type { Refusal } from "./source-error.ts";

const maxBytes = 4 * 1024 * 1024;

/** An imported list; `isOurs`: it has ralph's format already, so its text is kept. */
export type ForeignTaskFile = AcceptedSource<Prd> & { isOurs: boolean };

/** Checks the bytes of any tool's list; `project` is its name if the list has none. */
export function parseForeignTaskFile(
  bytes: Uint8Array,
  refusal: Refusal,
  { project, shown }: { project: string; shown: string },
): ForeignTaskFile {
  const parsed = parseJson({ bytes, file: refusal.file, maxBytes });
  const isOurs = parsed.kind === "parsed" && checkPrd(parsed.value).data !== undefined;
  const about = { kind: "list", source: "imported-prd", file: shown, project } as const;
  const check = (value: unknown) => (isOurs ? checkPrd(value) : checkForeignList(value, about));
  return { ...acceptSource(parsed, { check, refusal }), isOurs };
}
