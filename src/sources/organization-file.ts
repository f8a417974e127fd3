import { checkClosed } from "../schema/base/check-closed.ts";
import { conclude } from "../schema/base/check-shape.ts";
import { Organization } from "../schema/config/organization.ts";
import { acceptSource } from "./accept-source.ts";
import { parseYaml } from "./parse-yaml.ts";

/** Where an owner's `.github` repository has the file. */
export const organizationPath = ".ralph/organization.yml";

const maxBytes = 64 * 1024;

/** Checks the bytes of an owner's settings; `file` names them in errors. One error lists all problems (exit 1). */
export function parseOrganization(bytes: Uint8Array, file: string): Organization {
  const remedy = "Correct the file at the places above; until then nothing starts.";
  const refusal = { reason: "config", file, remedy } as const;
  const parsed = parseYaml({ bytes, file, maxBytes });
  const check = (value: unknown) => conclude(checkClosed(Organization, value), []);
  return acceptSource(parsed, { check, refusal }).data;
}
