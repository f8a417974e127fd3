import { checkPrd } from "../schema/tasks/check-prd.ts";
import { checkForeignList } from "../schema/tasks/foreign/check-foreign-list.ts";
import type { Prd } from "../schema/tasks/prd.ts";
import { type AcceptedSource, acceptSource } from "./accept-source.ts";
import { parseJson } from "./parse-json.ts";
import type { Refusal } from "./source-error.ts";

const maxBytes = 4 * 1024 * 1024;

/** A list that is taken over, and whether it is one of ours already, so that its text may stay as it is. */
export type ForeignTaskFile = AcceptedSource<Prd> & { isOurs: boolean };

/** Checks the bytes of a list of any tool; `project` is its name when it has none of its own. */
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
