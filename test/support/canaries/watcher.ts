import { readdirSync, readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Looks at environment and arguments of all processes below RUNNER, over and over, until its input ends:
 * `node watcher.ts RUNNER AGENT`. Its first line of input are the secrets by name. Answers as JSON which
 * secret stood where, and in whose process: the agent's is AGENT, and all it has started.
 */
const [runner = "", agent = ""] = process.argv.slice(2);
type Sight = { secret: string; where: "environ" | "cmdline"; isAgent: boolean; command: string };
const sights = new Map<string, Sight>();
const commands = new Set<string>();

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

function look(
  pid: string,
  { secrets, isBelow }: { secrets: [string, string][]; isBelow: boolean },
) {
  const cmdline = read(`/proc/${pid}/cmdline`);
  const environ = read(`/proc/${pid}/environ`);
  // What an agent has started may outlive it for a moment, elsewhere in the tree; only agents are told their role.
  const isAgent = isBelow || cmdline.includes(agent) || environ.includes("RALPH_ROLE=");
  // One that became another program in between, or is about to and has no name yet, is looked at next time.
  const isSame = cmdline !== "" && cmdline === read(`/proc/${pid}/cmdline`);
  const command = cmdline.replaceAll("\0", " ").trim();
  if (isSame) commands.add(command);
  for (const [secret, value] of isSame ? secrets : []) {
    const note = (where: Sight["where"]) =>
      sights.set(`${secret} ${where} ${command}`, { secret, where, isAgent, command });
    if (environ.includes(value)) note("environ");
    if (cmdline.includes(value)) note("cmdline");
  }
  for (const child of childrenOf(pid)) look(child, { secrets, isBelow: isAgent });
}

const childrenOf = (pid: string) =>
  threadsOf(pid)
    .flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).split(" "))
    .filter((child) => child !== "" && child !== String(process.pid));

function threadsOf(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

let isOver = false;
const [line = ""] = await new Promise<string[]>((resolve) =>
  process.stdin.once("data", (data) => resolve(String(data).split("\n"))),
);
const secrets: [string, string][] = Object.entries(JSON.parse(line));
text(process.stdin).finally(() => {
  isOver = true;
});
while (!isOver) {
  for (const child of childrenOf(runner)) look(child, { secrets, isBelow: false });
  await sleep(2);
}
console.log(JSON.stringify({ sights: [...sights.values()], commands: [...commands] }));
