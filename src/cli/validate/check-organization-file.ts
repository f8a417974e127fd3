import { organizationPath, parseOrganization } from "../../sources/organization-file.ts";
import { readSource } from "../../sources/read-source.ts";
import type { CheckInput, ValidFile } from "./target.ts";

const maxBytes = 1024 * 1024;

/** An owner's settings, as the App reads them (exit 1 with all problems). */
export async function checkOrganizationFile({
  file,
  target: { shown },
}: CheckInput): Promise<ValidFile> {
  const remedy = "Name an existing file.";
  const missing = { reason: "config", file: shown, remedy } as const;
  parseOrganization(await readSource(file, { maxBytes, missing }), shown);
  const place = `the App reads it as ${organizationPath} of the owner's repository .github`;
  return { note: `valid settings for all repositories of an owner; ${place}`, warnings: [] };
}
