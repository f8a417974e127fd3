const registered = new Set(
  `error warning notice debug group endgroup echo add-mask add-matcher remove-matcher set-env set-output
  save-state add-path stop-commands internal-set-repo-path`.split(/\s+/),
);

export type RunnerCommand = { name: string; properties: Record<string, string>; data: string };

/** A line as a CI runner reads it: the command it executes, or undefined for text. Both documented grammars. */
export function runnerCommand(line: string): RunnerCommand | undefined {
  return second(line) ?? first(line);
}

/** `::name key=value,…::data`; culture-sensitive comparison skips invisible characters. */
function second(line: string): RunnerCommand | undefined {
  const text = visible(line).replace(/^[\s\u0085]+/, "");
  const end = text.indexOf("::", 2);
  if (!text.startsWith("::") || end < 0) return undefined;
  const [name = "", ...rest] = text.slice(2, end).split(" ");
  if (!registered.has(name.toLowerCase())) return undefined;
  const pairs = rest
    .join(" ")
    .split(",")
    .filter((pair) => pair.includes("="))
    .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const);
  const properties = Object.fromEntries(pairs.map(([key, value]) => [key, property(value)]));
  return { name, properties, data: plain(text.slice(end + 2)) };
}

/** `##[name key=value;…]data`, anywhere in a line. */
function first(line: string): RunnerCommand | undefined {
  const text = visible(line);
  const [, name = "", data = ""] = /##\[([^\] ]*)[^\]]*\](.*)/s.exec(text) ?? [];
  return registered.has(name.toLowerCase()) ? { name, properties: {}, data } : undefined;
}

const visible = (line: string) =>
  line.replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}]|(?![\t\n\v\f\r\u0085])\p{Cc}/gu, "");

const plain = (text: string) =>
  text.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%25", "%");

const property = (text: string) =>
  text
    .replaceAll("%0D", "\r")
    .replaceAll("%0A", "\n")
    .replaceAll("%3A", ":")
    .replaceAll("%2C", ",")
    .replaceAll("%25", "%");
