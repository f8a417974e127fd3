import { RalphError } from "../../error.ts";
import type { GitHub } from "../api/create-github.ts";
import { httpStatusOf } from "../api/to-ralph-error.ts";

/**
 * Asks before anything is spent whether this token may open pull requests (exit 15): for one from a branch to itself, which
 * GitHub never opens. A token without the right is refused (403), any other for its content (422).
 */
export async function requirePullRight(github: GitHub, base: string): Promise<void> {
  const purpose = {
    act: "open a pull request",
    permission: "pull-requests: write",
    reason: "pr",
  } as const;
  const impossible = { ...github.repo, head: base, base, title: "ralph" };
  try {
    await github.ask(purpose, ({ rest }) => rest.pulls.create(impossible));
  } catch (error) {
    if (httpStatusOf(error) !== 422) throw withPullSetting(error);
  }
}

/** Adds the setting to change, which GitHub's message does not name (F52). */
export function withPullSetting(error: unknown): unknown {
  if (!(error instanceof RalphError) || !/not permitted to create/i.test(error.message)) {
    return error;
  }
  return new RalphError("pr", {
    message: error.message,
    remedy:
      'Tick "Allow GitHub Actions to create and approve pull requests" under Settings, Actions, General, or use the token of an App; then publish again.',
    cause: error.cause,
  });
}
