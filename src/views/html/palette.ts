/** One value of each colour for each scheme; `test/views/html/palette.test.ts` checks their contrast. */
type Colours = Readonly<Record<(typeof colours)[number], string>>;

const colours = [
  "page",
  "panel",
  "line",
  "text",
  "quiet",
  "link",
  "ok",
  "warn",
  "bad",
  "track",
  "work",
  "test",
  "review",
  "gate",
] as const;

export const light: Colours = {
  page: "#ffffff",
  panel: "#f6f8fa",
  line: "#d1d9e0",
  text: "#1f2328",
  quiet: "#57606a",
  link: "#0757ba",
  ok: "#116329",
  warn: "#7d4e00",
  bad: "#b3151f",
  track: "#eaeef2",
  work: "#0969da",
  test: "#8250df",
  review: "#0e7a8a",
  gate: "#6b7480",
};

export const dark: Colours = {
  page: "#0d1117",
  panel: "#161b22",
  line: "#3d444d",
  text: "#e6edf3",
  quiet: "#9ea7b3",
  link: "#6cb2ff",
  ok: "#4cc763",
  warn: "#dfa83a",
  bad: "#ff7b72",
  track: "#21262d",
  work: "#4493f8",
  test: "#b68bff",
  review: "#39c5cf",
  gate: "#9198a1",
};

/** Custom properties, as a style sheet declares them. */
export function declarations(scheme: Colours): string {
  return colours.map((name) => `--${name}:${scheme[name]}`).join(";");
}
