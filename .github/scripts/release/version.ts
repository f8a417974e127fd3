import { RalphError } from "../../../src/error.ts";

export type Version = { tag: string; number: string; major: string; parts: readonly number[] };

/** `v1.2.3` or `1.2.3`; undefined for everything else. */
export function parseVersion(text: string): Version | undefined {
  const [, number = "", ...parts] =
    /^v?((0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*))$/.exec(text) ?? [];
  if (number === "") return undefined;
  return { tag: `v${number}`, number, major: `v${parts[0]}`, parts: parts.map(Number) };
}

export function requireVersion(text: string): Version {
  const version = parseVersion(text);
  if (version) return version;
  throw new RalphError("config", {
    message: `"${text}" is no version.`,
    remedy: "Name the release as v1.2.3.",
  });
}

export function isNewer(version: Version, than: Version): boolean {
  const [a, b] = [version.parts, than.parts];
  const place = a.findIndex((part, index) => part !== b[index]);
  return place >= 0 && (a[place] ?? 0) > (b[place] ?? 0);
}

/** The section of CHANGELOG.md about a version, without its heading; undefined without one. */
export function changesOf(changelog: string, { number }: Version): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((section) => /^[\w.]+/.exec(section)?.[0] === number);
  const text = found?.split("\n").slice(1).join("\n").trim();
  return text || undefined;
}
