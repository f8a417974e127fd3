import type { OwnPull } from "../../github/pulls/find-marked.ts";
import type { Config } from "../../schema/config/config.ts";

/** Events nobody asks a job by, one run at a time: they start nothing while `autopilot.enabled` is false (design 6). */
const triggers = ["schedule", "issues", "issue_comment", "push", "repository_dispatch"];

/** What stands in the way of a new autopilot run, told before anything is spent; undefined: nothing. */
export function skipReason(
  { autopilot, limits, pr }: Pick<Config, "autopilot" | "limits" | "pr">,
  { event, pulls }: { event: string | undefined; pulls: readonly OwnPull[] },
): string | undefined {
  if (!autopilot.enabled && triggers.includes(event ?? "")) {
    return `\`autopilot.enabled\` is false in the configuration, so the event ${event} starts nothing. Set it to true, or start the workflow by hand.`;
  }
  const open = pulls.filter(({ state }) => state === "open");
  if (open.length < limits.open_prs || !autopilot.create_pr || !pr.enabled) return undefined;
  const urls = open.map(({ url }) => url).join(", ");
  return `A pull request of ours waits for a person: ${urls}. Merge or close it; \`limits.open_prs\` says how many there may be.`;
}
