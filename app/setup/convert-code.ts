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

/** An App GitHub has just created, with everything only its owner is told, once. */
export type CreatedApp = z.output<typeof Created>;

const requestMs = 30_000;

/** Exchanges the code of a manifest that was accepted for the App's key and secrets. Good for one time, within an hour. */
export async function convertCode(apiUrl: string, code: string): Promise<CreatedApp> {
  const answer = await fetch(`${apiUrl}/app-manifests/${encodeURIComponent(code)}/conversions`, {
    method: "POST",
    headers: { accept: "application/vnd.github+json", "user-agent": "ralph" },
    signal: AbortSignal.timeout(requestMs),
  }).catch((cause: unknown) => {
    throw refused("could not be reached", cause);
  });
  if (answer.status !== 201) throw refused(`answered ${answer.status}`);
  return Created.parse(await answer.json());
}

const refused = (what: string, cause?: unknown) =>
  new RalphError("config", {
    message: `GitHub ${what} when it was asked for the new App's key.`,
    remedy:
      "Delete the App in GitHub's settings under Developer settings, GitHub Apps, and begin again.",
    ...(cause !== undefined && { cause }),
  });
