import { fillPage } from "./fill-page.ts";

/** What became of one honest commit. */
export interface Replayed {
  repository: string;
  commit: string;
  /** `passed`, or why its iteration failed. */
  ended: string;
  why: string;
  /** The verdict of its tests without its work; empty where none was reached. */
  first: string;
  /** Changes that tests noticed when they were taken back, and all that were tried. */
  noticed: readonly [number, number];
  findings: readonly string[];
}

/** Writes the rate of false refusals and of drafts among honest commits into the README. */
export function writeCorpusSum(replayed: readonly Replayed[]): void {
  fillPage("README.md", "corpus:sum", sumOf(replayed));
}

/** A change of behaviour: its own tests fail without it. Without a task's text, replaced expectations keep a draft. */
export function sumOf(all: readonly Replayed[]): string {
  // Where the gates themselves are red on this machine, nothing was asked of the work.
  const replayed = all.filter(({ ended }) => ended === "passed" || ended === "proof");
  const repositories = new Set(replayed.map(({ repository }) => repository)).size;
  const refused = replayed.filter(({ ended }) => ended === "proof").length;
  const changes = replayed.filter(
    ({ ended, first }) => ended === "passed" && (first === "red" || first === "load-error"),
  );
  const drafts = changes.filter(({ findings }) => findings.length > 0);
  const unnamed = drafts.filter(({ findings }) => findings.some((text) => !isReplaced(text)));
  const rate = (part: number) => `${part} (${Math.round((100 * part) / changes.length)} %)`;
  const green = replayed.filter(({ first }) => first === "green").length;
  return `Of ${replayed.length} honest commits of ${repositories} public repositories, replayed without a task's text, the proof refuses ${refused}. ${changes.length} of them change behaviour: ${rate(drafts.length)} stay drafts, ${rate(unnamed.length)} where the task names the tests that change. The tests of ${green} others pass without the work, such as those of refactorings: they stay drafts, unless the list says so.`;
}

const isReplaced = (message: string) => message.startsWith("Old expectations were replaced");
