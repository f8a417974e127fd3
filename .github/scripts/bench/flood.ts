import { memoryRow } from "./growth.ts";
import type { Effort } from "./overhead.ts";
import { createProject } from "./project.ts";
import type { Row } from "./row.ts";
import { runSession } from "./session.ts";

const gigabytes = 5;

/** Memory while an agent prints gigabytes without a line end. */
export async function measureFlood({ ralph, place }: Effort): Promise<Row[]> {
  const flood = `head -c ${gigabytes}G /dev/zero\n`;
  const project = createProject(place, { files: 10, tasks: 1, flood });
  const { peakMb } = await runSession(project, ralph);
  return peakMb === undefined ? [] : [memoryRow(`an agent prints ${gigabytes} GB`, peakMb)];
}
