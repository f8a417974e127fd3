/** One page of a list, with the link to the next one as GitHub sends it; its address is relative to the API's. */
export function pageOf<Item>(path: string, all: readonly Item[], atMost = 100) {
  const { pathname, searchParams: query } = new URL(path, "http://fake");
  const size = Math.min(Number(query.get("per_page") ?? 30), atMost);
  const page = Number(query.get("page") ?? 1);
  const items = all.slice((page - 1) * size, page * size);
  query.set("page", String(page + 1));
  const link = `<${pathname.replace(/^\/api(?:\/v3)?/, "")}?${query}>; rel="next"`;
  const headers: Record<string, string> = page * size < all.length ? { link } : {};
  return { items, headers };
}
