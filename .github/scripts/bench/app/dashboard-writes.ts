import { randomUUID } from "node:crypto";
import { webhookPath } from "../../../../app/settings/settings.ts";
import { deliver } from "../../../../test/support/app/deliveries.ts";
import type { AppGitHub } from "../../../../test/support/app/github.ts";
import { serveIssues } from "../../../../test/support/app/issues.ts";
import type { AppProcess } from "./app-process.ts";

const commands = 30;
const commandMs = 3000;
const minuteMs = 60_000;
const ada = { login: "ada", id: 5, type: "User" };

/** The most writes to the dashboard issue in any minute while every command changes its text. Needs a started run. */
export async function countDashboardWrites(github: AppGitHub, app: AppProcess): Promise<number> {
  const writtenAt: number[] = [];
  serveIssues(github).push({ number: 1, title: "Word", body: "", state: "open", user: ada });
  const { more } = github;
  github.more = (asked, seen) => {
    const isWrite = /^(?:PATCH|POST) \/repos\/octo\/example\/issues(?:\/\d+)?$/.test(asked);
    if (isWrite && JSON.stringify(seen.body).includes("ralph:dashboard"))
      writtenAt.push(performance.now());
    return more(asked, seen);
  };
  for (let command = 0; command < commands; command += 1) {
    await say(app, command % 2 === 0 ? "/ralph pause" : "/ralph resume", command);
    await new Promise((resolve) => setTimeout(resolve, commandMs));
  }
  if (writtenAt.length === 0) throw new Error("Nothing was written to the dashboard.");
  return Math.max(
    ...writtenAt.map((from) => writtenAt.filter((at) => at >= from && at < from + minuteMs).length),
  );
}

async function say(app: AppProcess, words: string, index: number): Promise<void> {
  const body = JSON.stringify({
    action: "created",
    issue: { number: 1, state: "open", updated_at: "2026-01-25T10:00:01Z", user: ada },
    comment: { id: 90_000 + index, body: words, user: ada },
    installation: { id: 3 },
    repository: { id: 7, full_name: "octo/example", default_branch: "main" },
    sender: ada,
  });
  const sent = { id: randomUUID(), event: "issue_comment", body };
  const { status } = await deliver(`${app.url}${webhookPath}`, sent);
  if (status !== 202) throw new Error(`A delivery was answered with ${status}.`);
}
