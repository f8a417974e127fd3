import { readFileSync } from "node:fs";
import type { Cheat } from "../../../test/support/cheats/cheat.ts";
import type { CheatResult } from "../../../test/support/cheats/play-cheat.ts";
import { fillPage } from "./fill-page.ts";

const page = "docs/proof.md";

/** Writes what became of the cheats into the page, and the sum into the README. Those not played keep their rows. */
export function writeCheatTable(results: readonly CheatResult[], cheats: readonly Cheat[]): void {
  const played = results.map(({ title, inPlace, cleanRoom, pull }) =>
    [title, inPlace, cleanRoom, pull].map(cell),
  );
  const known = new Map([...writtenRows(), ...played].map((row) => [row[0], row]));
  const rowOf = ({ title }: Cheat) => known.get(cell(title)) ?? [];
  const rows = cheats.map(rowOf).filter((row) => row.length > 0);
  const tried = cheats.filter(({ isHonest, isOpen }) => !isHonest && !isOpen);
  const open = cheats.filter(({ isOpen }) => isOpen).length;
  fillPage(page, "cheats:table", tableOf(rows));
  fillPage("README.md", "cheats:sum", sumOf(tried.map(rowOf), open));
}

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

type Row = readonly string[];

const writtenRows = (): Row[] =>
  readFileSync(page, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.slice(2, -2).split(" | "));

function tableOf(rows: readonly Row[]): string {
  const head = ["What was done", "In place", "Clean room", "Pull request"];
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function sumOf(tried: readonly Row[], open: number): string {
  const refused = tried.filter(([, inPlace]) => inPlace?.startsWith("refused")).length;
  const silent = tried.filter(([, inPlace, room]) => inPlace === "passed" && room === "proved");
  const shown = tried.length - refused - silent.length;
  return `Of ${tried.length} ways of gaming tests and gates under a reviewer that approves everything, ${refused} are refused, ${shown} pass with a finding that keeps the pull request a draft, and ${silent.length} pass unnoticed. ${open} more do: hard-coded answers unless tests come first, a test that only asks for some answer, and test files that put code of their own into the product ([each of them](docs/proof.md#what-was-tried)).`;
}
