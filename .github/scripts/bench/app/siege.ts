import { type AppGitHub, startAppGitHub } from "../../../../test/support/app/github.ts";
import { besiege } from "../../../../test/support/app/hostile-http.ts";
import { p99 } from "../measure.ts";
import { type Row, row } from "../row.ts";
import { type AppProcess, startAppProcess } from "./app-process.ts";

const siege = { malformed: 1000, slowSockets: 200, bodyBytes: 60 * 1024 * 1024 };
const settleMs = 3000;
const lookMs = 20;

/** What hostile requests (G13) cost the App's process in memory, and how long good deliveries wait meanwhile. */
export async function measureSiege(
  environmentFor: (github: AppGitHub) => Record<string, string>,
): Promise<Row[]> {
  await using github = await startAppGitHub();
  await using app = await startAppProcess(environmentFor(github));
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const memory = watchMemory(app);
  const { goodMs } = await besiege({ url: app.url, ...siege });
  const growth = memory.growth();
  const alive = await fetch(`${app.url}/healthz`);
  if (alive.status !== 200) throw new Error(`After the siege the App answers ${alive.status}.`);
  return [
    row("1,000 malformed requests, 60 MB unsigned, 200 slow sockets", growth, "MB", {
      ...{ beside: `${goodMs.length} good deliveries`, goal: 64 },
      ralph: `${growth.toFixed(0)} MB more`,
    }),
    row("a good delivery meanwhile, 99 of 100", p99(goodMs), "ms", { goal: 1000 }),
  ];
}

/** The most that its memory grows from now on. */
function watchMemory(app: AppProcess): { growth: () => number } {
  const before = app.residentMb();
  let most = before;
  const look = () => {
    most = Math.max(most, app.residentMb());
  };
  const timer = setInterval(look, lookMs);
  return {
    growth: () => {
      clearInterval(timer);
      look();
      return most - before;
    },
  };
}
