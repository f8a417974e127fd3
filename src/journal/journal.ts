import { apply } from "../core/state/apply.ts";
import type { Fact, RunEvent } from "../core/state/event.ts";
import type { SessionState } from "../core/state/session-state.ts";
import type { AppendFile, Clock, Files } from "../platform/system.ts";
import {
  broken,
  type ChainEnd,
  chainStart,
  hashLine,
  parseJournalLine,
  stampFact,
} from "./line.ts";

export const journalFile = "journal.jsonl";
/** Larger than any journal of a day's work; a bigger file is not read into memory. */
const maxJournalBytes = 256 * 1024 * 1024;

/** A session's single source of truth: one append-only, hash-chained file, and the state it adds up to. */
export interface Journal extends AsyncDisposable {
  readonly state: SessionState;
  /** `seq:hash` of the last line; part of each task's commit and of the job output (design 2). */
  readonly digest: string;
  /** Appends one fact. `durable`: flushed before this resolves, because something irreversible depends on it. */
  append: (fact: Fact, options?: { durable: boolean }) => Promise<RunEvent>;
}

/** The result of reading a journal: the state, the end of the chain, and whether the last line is incomplete. */
export type Replay = { state: SessionState; end: ChainEnd; isTorn: boolean };

/** The state of a session that would begin now; nothing is written. */
export function stateAtStart(
  { clock }: { clock: Clock },
  first: Fact & { type: "session_start" },
): SessionState {
  return apply(undefined, stampFact(first, chainStart, clock.now()));
}

/** Starts a new journal with its first fact. */
export async function startJournal(
  deps: { files: Files; clock: Clock },
  first: Fact & { type: "session_start" },
): Promise<Journal> {
  const event = stampFact(first, chainStart, deps.clock.now());
  const line = JSON.stringify(event);
  await deps.files.makeFolder("evidence");
  await deps.files.write(journalFile, `${line}\n`, { durable: true });
  const end = { seq: event.seq, ts: event.ts, hash: hashLine(line) };
  return openFor(deps, { state: apply(undefined, event), end });
}

/** Opens a replayed journal for more events; an incomplete last line is cut off first (F10). */
export async function reopenJournal(
  deps: { files: Files; clock: Clock },
  replay: Replay,
): Promise<Journal> {
  if (replay.isTorn) {
    const text = await readText(deps.files);
    await deps.files.write(journalFile, text.slice(0, text.lastIndexOf("\n") + 1), {
      durable: true,
    });
  }
  return openFor(deps, replay);
}

async function openFor(
  { files, clock }: { files: Files; clock: Clock },
  start: { state: SessionState; end: ChainEnd },
): Promise<Journal> {
  const file: AppendFile = await files.openAppend(journalFile);
  let { state, end } = start;
  return {
    get state() {
      return state;
    },
    get digest() {
      return `${end.seq}:${end.hash}`;
    },
    append: async (fact, options) => {
      const event = stampFact(fact, end, clock.now());
      const line = JSON.stringify(event);
      // The state is computed first: an event that cannot follow must not reach the file.
      const next = apply(state, event);
      await file.append(`${line}\n`);
      if (options?.durable) await file.flush();
      state = next;
      end = { seq: event.seq, ts: event.ts, hash: hashLine(line) };
      return event;
    },
    [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
  };
}

/** Reads a journal: checks the chain line by line and passes each event to `onEvent`. */
export async function replayJournal(
  files: Files,
  onEvent: (event: RunEvent, state: SessionState) => void | Promise<void> = () => {},
): Promise<Replay | undefined> {
  const text = await readText(files);
  const isTorn = text !== "" && !text.endsWith("\n");
  const file = `${files.root}/${journalFile}`;
  let state: SessionState | undefined;
  let end = chainStart;
  for (const line of linesOf(text)) {
    const event = parseJournalLine(line, end, file);
    state = applyRead(state, event, file);
    end = { seq: event.seq, ts: event.ts, hash: hashLine(line) };
    await onEvent(event, state);
  }
  return state && { state, end, isTorn };
}

/** An event that cannot follow proves a forgery: ralph applies every event before writing it. */
function applyRead(state: SessionState | undefined, event: RunEvent, file: string): SessionState {
  try {
    return apply(state, event);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
    throw broken(file, event.seq, `cannot follow the lines before it (${why})`);
  }
}

async function readText(files: Files): Promise<string> {
  const bytes = await files.read(journalFile, { maxBytes: maxJournalBytes });
  return bytes?.toString("utf8") ?? "";
}

/** Complete lines only: a kill can leave an incomplete last line (F10). */
function* linesOf(text: string): Generator<string> {
  let from = 0;
  for (let to = text.indexOf("\n"); to >= 0; to = text.indexOf("\n", from)) {
    yield text.slice(from, to);
    from = to + 1;
  }
}
