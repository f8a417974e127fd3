import { RalphError } from "../../error.ts";
import type { StepContext } from "../step.ts";

/** Hosts whose artifact service today's actions can use, and this machine, for other programs that run workflows. */
const withArtifacts = /(?:^|\.)(?:github\.com|ghe\.com|localhost)$|^127\.0\.0\.1$/i;

/**
 * A GitHub Enterprise Server has no artifact service for `actions/upload-artifact` of version 4 or newer: the session
 * would be lost after it was paid for. Checked before anything is spent (exit 1).
 */
export function requireArtifacts({ system, inputs }: Pick<StepContext, "system" | "inputs">): void {
  const { GITHUB_SERVER_URL: server } = system.env;
  if (!server || !inputs["session-artifact"] || inputs["dry-run"]) return;
  const { hostname } = new URL(server);
  if (withArtifacts.test(hostname)) return;
  throw new RalphError("config", {
    message: `${hostname} is a GitHub Enterprise Server, which cannot keep a session: its artifacts are older than actions/upload-artifact v4.`,
    remedy:
      "Use the action as one step with `session-artifact: false`; the session is then published by the same job, and cannot be continued by another one.",
  });
}
