import type { ModuleMutant } from "./mutants.ts";

/** A changed line that no test can notice. */
interface Explained extends Pick<ModuleMutant, "file" | "after"> {
  readonly why: string;
}

const explained: readonly Explained[] = [
  {
    file: "src/autopilot/sanitize/sanitize.ts",
    after: String.raw`.replace(/^([ \t>*+-]*(?:\d{2,9}[.)][ \t]*)?\[[^[\]]*\]):/gm, "$1 :");`,
    why: "`definition` has removed all of these; the line guards against a change of it.",
  },
  {
    file: "src/core/checks/tag.ts",
    after: 'let start = text.indexOf("");',
    why: "Begins at the first character, which is no tag unless it is `<`.",
  },
];

export const explanationOf = ({ file, after }: ModuleMutant): string | undefined =>
  explained.find((each) => each.file === file && each.after === after)?.why;
