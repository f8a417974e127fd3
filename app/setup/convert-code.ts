import * as z from "zod";
import { RalphError } from "../../src/error.ts";

const Created = z.object({
  id: z.int(),
  slug: z.string().regex(/^[\w-]{1,100}$/),
  html_url: z.url(),
  client_id: z.string(),
  client_secret: z.string(),
  webhook_secret: z.string().min(16),
  pem: z.string().includes("PRIVATE KEY"),
});

/** A newly created App with its secrets, which GitHub shows only once. */
export type CreatedApp = z.output<typeof Created>;

const requestMs = 30_000;

/** Exchanges the code of an accepted manifest for the App's key and secrets; possible once, within an hour. */
export async function convertCode(apiUrl: string, code: string): Promise<CreatedApp> {
  const answer = await fetch(`${apiUrl}/app-manifests/${encodeURIComponent(code)}/conversions`, {
    method: "POST",
    headers: { accept: "application/vnd.github+json", "user-agent": "ralph" },
    signal: AbortSignal.timeout(requestMs),
  }).catch((cause: unknown) => {
    throw conversionFailed("could not be reached", cause);
  });
  if (answer.status !== 201) throw conversionFailed(`answered ${answer.status}`);
  return Created.parse(await answer.json());
}

const conversionFailed = (problem: string, cause?: unknown) =>
  new RalphError("config", {
    message: `GitHub ${problem} when ralph requested the new App's key.`,
    remedy:
      "Delete the App in GitHub's settings under Developer settings, GitHub Apps, and start over.",
    ...(cause !== undefined && { cause }),
  });
