/** Something a rule noticed. `message` continues the path: "tasks[0].title" + "is missing". */
export type Finding = {
  severity: "error" | "warning";
  path: readonly PropertyKey[];
  message: string;
};

/** A finding that forbids to use the value. */
export function errorAt(path: readonly PropertyKey[], message: string): Finding {
  return { severity: "error", path, message };
}

/** A finding somebody should know about; the value may be used. */
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
