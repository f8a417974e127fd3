/** A finding of a rule. `message` continues the path: "tasks[0].title" + "is missing". */
export type Finding = {
  severity: "error" | "warning";
  path: readonly PropertyKey[];
  message: string;
};

/** A finding that makes the value unusable. */
export function errorAt(path: readonly PropertyKey[], message: string): Finding {
  return { severity: "error", path, message };
}

/** A finding the user should know; the value is usable. */
export function warningAt(path: readonly PropertyKey[], message: string): Finding {
  return { severity: "warning", path, message };
}

/** `tasks[0].title`; the whole document for an empty path. */
export function renderPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "the document";
  return path.map(renderStep).join("").replace(/^\./, "");
}

function renderStep(step: PropertyKey): string {
  if (typeof step === "number") return `[${step}]`;
  const name = String(step);
  return /^[\w$-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
