import { firstOf } from "../../text/figures.ts";
import { record, type SessionContext } from "./session-context.ts";

/** Most hosts that one line of the configuration names. */
const maxNamed = 10;

/** Journals the targets a program in a network cage tried to reach, with the line that would allow them (T20), once in a session. */
export async function reportRefusals(
  session: SessionContext,
  { who, refused }: { who: string; refused: readonly string[] },
): Promise<void> {
  const known = session.journal.state.warnings;
  const news = refused.filter((target) => !known.some((text) => text.includes(`\`${target}\``)));
  if (news.length > 0) await record(session, { type: "warning", message: describe(who, news) });
}

function describe(who: string, refused: readonly string[]): string {
  const hosts = [...new Set(refused.map(entryFor))].slice(0, maxNamed);
  const named = refused.map((target) => `\`${target}\``);
  const allow = `\`sandbox: { network: { mode: cage, allow: [${hosts.join(", ")}] } }\``;
  return `${who} tried to reach ${firstOf(named, maxNamed)}, outside of its network. If the work needs that: ${allow}`;
}

/** Ports 80 and 443 need not be named, nor the address at which a host was refused. */
const entryFor = (target: string) => {
  const host = target.replace(/ at .*$/, "").replace(/:(?:80|443)$/, "");
  return /^[\w.-]+(?::\d+)?$/.test(host) ? host : `"${host}"`;
};
