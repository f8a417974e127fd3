import type { RunEvent } from "../../core/state/event.ts";
import { excerpt } from "./failures.ts";

const nothing = { sha256: "", bytes: 0 };
const none: string[] = [];
const unseen = { prev: "", tree: "" };

/** An event without the data that no page shows, so that all events of a long session need little memory. */
export function slimEvent(event: RunEvent): RunEvent {
  switch (event.type) {
    case "agent_start":
    case "fix_call_start":
      return { ...event, prev: "", prompt: nothing };
    case "agent_end": {
      const { session_id: _, denied: __, signal, ...rest } = event;
      const shown = signal.kind === "valid" ? { ...signal, body: "" } : signal;
      const lists = { subtasks_done: none, refused: none, trespassed: none, ignored: none };
      return { ...rest, ...unseen, ...lists, signal: shown, output: nothing };
    }
    case "gate_end": {
      const { output: _, ...rest } = event;
      return { ...rest, ...unseen, key: "", detail: "", fingerprints: none, leftovers: none };
    }
    case "criteria_end":
      return { ...event, ...unseen, results: [] };
    case "iteration_failed":
      return { ...event, ...unseen, fingerprint: "", feedback: excerpt(event.feedback) };
    default:
      return event;
  }
}
