import type { Notes } from "./notes.ts";
import type { Queue } from "./queue.ts";

/** The App's durable data. */
export interface Store extends AsyncDisposable {
  queue: Queue;
  notes: Notes;
}
