/**
 * Where the tag that is open at a place ends, or -1: at the first `>` outside of quotes. Computed backwards for all
 * places at once, because each may be asked and quotes can reach to the end of the text.
 */
export function tagEnds(text: string): (at: number) => number {
  const column = () => new Int32Array(text.length + 1).fill(-1);
  const [plain, single, double] = [column(), column(), column()];
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const after = { plain: end(plain, at), single: end(single, at), double: end(double, at) };
    const char = text[at] ?? "";
    plain[at] = char === ">" ? at : after[opened[char] ?? "plain"];
    single[at] = char === "'" ? after.plain : after.single;
    double[at] = char === '"' ? after.plain : after.double;
  }
  return (at) => plain[at] ?? -1;
}

const opened: Readonly<Record<string, "single" | "double">> = { "'": "single", '"': "double" };

const end = (column: Int32Array, at: number) => column[at + 1] ?? -1;
