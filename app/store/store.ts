import type { Notes } from "./notes.ts";
import type { Queue } from "./queue.ts";

/** Everything the App keeps. */
export interface Store extends AsyncDisposable {
  queue: Queue;
  notes: Notes;
}
