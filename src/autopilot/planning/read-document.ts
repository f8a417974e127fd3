import type { Requirement } from "./trace.ts";

/** A requirements document as a person has edited it: what it says instead of the analysis. */
export interface EditedDocument {
  requirements: readonly Requirement[];
  /** Empty parts are absent: the analysis still holds there. */
  edited: { description?: string; acceptance_criteria?: string[] };
}

/** Reads a document in the form of `draftPrd`, whatever a person has changed in it. */
export function readPrdDocument(text: string): EditedDocument {
  const sections = sectionsOf(text);
  const overview = plain(sections.get("overview") ?? "").trim();
  const outside = bulletsIn(sections.get("non-goals"));
  const criteria = bulletsIn(sections.get("acceptance criteria"));
  const limits =
    outside.length > 0 ? `\n\nNot part of it:\n${outside.map((one) => `- ${one}`).join("\n")}` : "";
  return {
    requirements: requirementsIn(sections.get("requirements") ?? text),
    edited: {
      ...(overview !== "" && { description: `${overview}${limits}` }),
      ...(criteria.length > 0 && { acceptance_criteria: criteria }),
    },
  };
}

/** The text below each heading of the second level, by its name in lower case. */
function sectionsOf(text: string): Map<string, string> {
  const parts = text.split(/^##[ \t]+(.+?)[ \t]*\r?$/m).slice(1);
  const pairs = parts.flatMap((name, at) =>
    at % 2 === 0 ? [[name.toLowerCase(), parts[at + 1] ?? ""] as const] : [],
  );
  return new Map(pairs);
}

const bulletsIn = (text = ""): string[] =>
  [...text.matchAll(/^[-*][ \t]+(.+)$/gm)].map(([, line = ""]) => plain(line).trim());

/** A bullet without a number gets the next one. */
function requirementsIn(text: string): Requirement[] {
  const found = bulletsIn(text).map((line) => {
    const [, id, sentence = line] = /^(FR-\d+):[ \t]*(.+)$/.exec(line) ?? [];
    return { id, text: sentence };
  });
  const numbers = found.map(({ id }) => Number(id?.slice(3) ?? 0));
  let next = Math.max(0, ...numbers);
  return found.map(({ id, text }) => ({ id: id ?? `FR-${++next}`, text }));
}

/** Without the backslashes that Markdown needs. */
const plain = (text: string) => text.replace(/\\([!-/:-@[-`{-~])/g, "$1");
