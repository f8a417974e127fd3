import { RalphError } from "../../src/error.ts";
import type { GitHub } from "../../src/github/api/create-github.ts";
import { unlessStatus } from "../../src/github/api/expected-refusals.ts";

/** A settings file as it is on the default branch; undefined without one. A folder or a file of a megabyte is refused. */
export async function readDefaultFile(github: GitHub, path: string): Promise<Buffer | undefined> {
  const asked = github.ask(
    { act: `read ${path}`, permission: "contents: read", reason: "config" },
    ({ rest }) => rest.repos.getContent({ ...github.repo, path }),
  );
  const answer = await unlessStatus([404], asked);
  if (!answer) return undefined;
  const { data } = answer;
  if (!Array.isArray(data) && data.type === "file" && data.encoding === "base64")
    return Buffer.from(data.content, "base64");
  throw new RalphError("config", {
    message: `${path} on the default branch of ${github.repository} is not a file of less than a megabyte.`,
    remedy: "Replace it with a plain file.",
  });
}
