import type * as z from "zod";
import type { ApiRequest, GitHub } from "./create-github.ts";

const pageSize = 100;
/** More than any list read here has. */
const maxPages = 100;

/** Reads a list of the API page by page, as far as the caller iterates. `schema` extracts the items from an answer. */
async function* eachPage<Item>(
  github: GitHub,
  request: ApiRequest,
  schema: z.ZodType<readonly Item[]>,
): AsyncGenerator<readonly Item[]> {
  for (let page = 1; page <= maxPages; page++) {
    const parameters = { ...request.parameters, per_page: pageSize, page };
    const { data } = await github.ask({ ...request, parameters });
    const items = schema.parse(data);
    yield items;
    if (items.length < pageSize) return;
  }
}

export async function listAll<Item>(
  github: GitHub,
  request: ApiRequest,
  schema: z.ZodType<readonly Item[]>,
): Promise<Item[]> {
  const found: Item[] = [];
  for await (const items of eachPage(github, request, schema)) found.push(...items);
  return found;
}
