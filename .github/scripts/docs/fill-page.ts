import { readFileSync, writeFileSync } from "node:fs";

/** Writes a text between the markers `<!-- NAME -->` and `<!-- /NAME -->` of a page. */
export function fillPage(page: string, name: string, text: string): void {
  const markers = new RegExp(`(<!-- ${name} -->\\n).*?(<!-- /${name} -->)`, "s");
  const before = readFileSync(page, "utf8");
  writeFileSync(
    page,
    before.replace(markers, (_, start, end) => `${start}${text}\n${end}`),
  );
}
