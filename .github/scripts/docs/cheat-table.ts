import type { CheatResult } from "../../../test/support/cheats/play-cheat.ts";
import { fillPage } from "./fill-page.ts";

/** Writes what became of every cheat between the markers of the page, and the sum into the README. */
export function writeCheatTable(results: readonly CheatResult[]): void {
  fillPage("docs/proof.md", "cheats:table", tableOf(results));
  fillPage("README.md", "cheats:sum", sumOf(results));
}

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

function tableOf(results: readonly CheatResult[]): string {
  const rows = results.map(({ title, inPlace, cleanRoom, pull }) =>
    [title, inPlace, cleanRoom, pull].map(cell),
  );
  const head = ["What was done", "In place", "Clean room", "Pull request"];
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function sumOf(results: readonly CheatResult[]): string {
  const gamed = results.filter(({ title }) => !title.startsWith("honest"));
  const tried = gamed.filter(({ isOpen }) => !isOpen);
  const refused = tried.filter(({ inPlace }) => inPlace.startsWith("refused")).length;
  const silent = tried.filter(({ isSilent }) => isSilent).length;
  return `Of ${tried.length} ways of gaming tests and gates under a reviewer that approves everything, ${refused} are refused, ${tried.length - refused - silent} pass with a finding that keeps the pull request a draft, and ${silent} pass unnoticed; hard-coded answers pass unless tests come first ([each of them](docs/proof.md#what-was-tried)).`;
}
