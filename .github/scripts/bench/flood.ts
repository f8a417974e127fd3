import { memoryRow } from "./growth.ts";
import { createProject } from "./project.ts";
import type { Row } from "./row.ts";
import { runSession } from "./session.ts";

/** Memory while an agent prints gigabytes without a line end. */
export async function measureFlood(ralph: string, gigabytes: number): Promise<Row[]> {
  using project = createProject(
    { files: 10, tasks: 1 },
    { flood: `head -c ${gigabytes}G /dev/zero\n` },
  );
  const { peakMb } = await runSession(project, ralph);
  return peakMb === undefined ? [] : [memoryRow(`an agent prints ${gigabytes} GB`, peakMb)];
}
