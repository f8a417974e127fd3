import { DispatchedRun, isOpen } from "../runs/dispatched-run.ts";
import type { PageAnswer, Stream } from "../webhooks/route.ts";
import { findAskedRun } from "./find-runs.ts";
import { notFoundPage } from "./frame/frame.ts";
import type { PageParts, Visit } from "./visit.ts";

const lookMs = 2000;
/** A proxy closes a connection on which nothing happens. */
const beatMs = 20_000;
/** The browser then connects again, which checks the sign-in again. */
const longestMs = 10 * 60_000;
const maxStreams = 100;

/** `/runs/<id>/events`: a server-sent event for each change of a run, without its content, until it is over. */
export function createRunEvents() {
  let open = 0;
  return async (parts: PageParts, visit: Visit): Promise<PageAnswer> => {
    const run = await findAskedRun(parts, visit);
    if (!run) return notFoundPage(visit.session);
    const { id } = run;
    if (open >= maxStreams) {
      return { status: 503, type: "text/plain", body: "Too many people watch; try again later.\n" };
    }
    const stream: Stream = async (write, signal) => {
      open += 1;
      try {
        await watch(parts, { id, write, signal });
      } finally {
        open -= 1;
      }
    };
    const headers = { "x-accel-buffering": "no" };
    return { status: 200, type: "text/event-stream", body: "retry: 5000\n\n", headers, stream };
  };
}

type Watched = { id: string; write: (text: string) => void; signal: AbortSignal };

async function watch(parts: PageParts, { id, write, signal }: Watched): Promise<void> {
  const { clock } = parts;
  const until = clock.now() + longestMs;
  let beatAt = clock.now() + beatMs;
  let seen = (await stateOf(parts, id)).key;
  while (!signal.aborted && clock.now() < until) {
    await clock.sleep(lookMs, signal);
    if (signal.aborted) return;
    const { key, isOver } = await stateOf(parts, id);
    if (isOver) return write("event: over\ndata: over\n\n");
    if (key !== seen) write("data: changed\n\n");
    else if (clock.now() >= beatAt) write(": nothing new\n\n");
    else continue;
    seen = key;
    beatAt = clock.now() + beatMs;
  }
}

/** The content of a run's page, as text to compare. */
async function stateOf(
  { notes, liveJobs }: Pick<PageParts, "notes" | "liveJobs">,
  id: string,
): Promise<{ key: string; isOver: boolean }> {
  const run = DispatchedRun.safeParse((await notes.get("run", id))?.data).data;
  if (!run || !isOpen(run)) return { key: "", isOver: true };
  return { key: JSON.stringify([run, await liveJobs(run)]), isOver: false };
}
