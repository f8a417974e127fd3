import type { Effort } from "../overhead.ts";
import type { Row } from "../row.ts";
import { measureApi } from "./measure-api.ts";
import { measureBrowser } from "./measure-browser.ts";
import { measureExits, measureStops } from "./measure-services.ts";

/** Services that resist their end, criteria, and browser tests, each beside the same work without ralph. */
export async function measureVerify({ place, rounds }: Effort): Promise<Row[]> {
  return [
    ...(await measureStops(place, rounds === 1 ? 21 : 102)),
    await measureExits(place),
    await measureApi(),
    ...(await measureBrowser(place)),
  ];
}
