import type { Version } from "./version.ts";

/**
 * The sums of the last measurement that the README records: ways of gaming tests, and honest commits. Links lead to the
 * released version.
 */
export function measuredIn(
  readme: string,
  { repository, version }: { repository: string; version: Version },
): string[] {
  const sums = readme.matchAll(/<!-- (\w+:sum) -->\n(.*?)\n<!-- \/\1 -->/gs);
  const pages = `](https://github.com/${repository}/blob/${version.tag}/docs/`;
  return [...sums].flatMap(([, , text]) => text?.replaceAll("](docs/", pages) ?? []);
}
