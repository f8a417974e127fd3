/** Something a rule noticed. `message` continues the path: "tasks[0].title" + "is missing". */
export type Finding = {
  severity: "error" | "warning";
  path: readonly PropertyKey[];
  message: string;
};

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
