import { globSync, readFileSync } from "node:fs";

/** A page of the documentation; `path` is relative to the repository's root. */
export interface Page {
  path: string;
  text: string;
}

/** The README and every page in docs/. */
export const pages: readonly Page[] = ["README.md", ...globSync("docs/*.md").toSorted()].map(
  (path) => ({ path, text: readFileSync(path, "utf8") }),
);

/** Every code block of a language, each with its page. */
export const blocksOf = (language: string): { path: string; code: string }[] =>
  pages.flatMap(({ path, text }) =>
    Array.from(text.matchAll(/^```(\w+)\n(.*?)^```/gms), ([, kind, code = ""]) => ({
      path,
      kind,
      code,
    })).filter(({ kind }) => kind === language),
  );
