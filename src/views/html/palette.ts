/** Each colour for a light and a dark page; `test/views/html/palette.test.ts` checks their contrast. */
const colours = {
  page: ["#ffffff", "#0d1117"],
  panel: ["#f6f8fa", "#161b22"],
  line: ["#d1d9e0", "#3d444d"],
  text: ["#1f2328", "#e6edf3"],
  quiet: ["#57606a", "#9ea7b3"],
  link: ["#0757ba", "#6cb2ff"],
  ok: ["#116329", "#4cc763"],
  warn: ["#7d4e00", "#dfa83a"],
  bad: ["#b3151f", "#ff7b72"],
  track: ["#eaeef2", "#21262d"],
  work: ["#0969da", "#4493f8"],
  test: ["#8250df", "#b68bff"],
  review: ["#0e7a8a", "#39c5cf"],
  gate: ["#6b7480", "#9198a1"],
} as const;

type Scheme = Readonly<Record<keyof typeof colours, string>>;

const schemeOf = (at: 0 | 1) =>
  Object.fromEntries(Object.entries(colours).map(([name, pair]) => [name, pair[at]])) as Scheme;

export const light = schemeOf(0);
export const dark = schemeOf(1);

/** Custom properties, as a style sheet declares them. */
export const declarations = (scheme: Scheme): string =>
  Object.entries(scheme)
    .map(([name, colour]) => `--${name}:${colour}`)
    .join(";");
