/** An element of a snapshot: its role, its name or text, and its place among those with the same role and name. */
export type PageElement = { role: string; name: string; nth: number };

export type ElementChoice =
  | { kind: "found"; element: PageElement }
  | { kind: "missing"; nearest: string[] }
  | { kind: "several"; names: string[] };

export type ElementVerb = "click" | "click_tab" | "fill" | "select";

/** Roles an action wants, in the order of preference; `click` takes anything with a name. */
const wanted: Record<ElementVerb, readonly string[]> = {
  click: ["button", "link", "tab", "menuitem", "checkbox", "radio", "switch", "option", "combobox"],
  click_tab: ["tab", "link", "button"],
  fill: ["textbox", "searchbox", "combobox", "spinbutton"],
  select: ["combobox", "listbox"],
};

/** Chooses the element that an action names: exact name first, then without case, then one that contains it. Pure. */
export function chooseElement(snapshot: string, verb: ElementVerb, name: string): ElementChoice {
  const all = parseSnapshot(snapshot);
  const roles = wanted[verb];
  const usable = all.filter(({ role }) => verb === "click" || roles.includes(role));
  for (const isNamed of levels(name)) {
    const found = usable.filter((element) => element.name !== "" && isNamed(element.name));
    if (found.length > 0) return best(found, roles, verb);
  }
  return { kind: "missing", nearest: nearestNames(all, name) };
}

function levels(name: string): ((other: string) => boolean)[] {
  const plain = name.trim().toLowerCase();
  return [
    (other) => other === name,
    (other) => other.trim().toLowerCase() === plain,
    (other) => other.toLowerCase().includes(plain),
  ];
}

/** Of several the first of the preferred role; equal ones are ambiguous. */
function best(found: PageElement[], roles: readonly string[], verb: ElementVerb): ElementChoice {
  const rank = ({ role }: PageElement) => (roles.indexOf(role) + roles.length) % roles.length;
  const isOther = ({ role }: PageElement) => !roles.includes(role);
  const sorted = found.toSorted(
    (a, b) => Number(isOther(a)) - Number(isOther(b)) || rank(a) - rank(b),
  );
  const [first, second] = sorted;
  if (!first) return { kind: "missing", nearest: [] };
  const isAlone = second === undefined || second.role !== first.role || verb === "click_tab";
  if (isAlone || isOther(first)) return { kind: "found", element: first };
  const same = sorted.filter(({ role }) => role === first.role);
  return { kind: "several", names: same.slice(0, 5).map(label) };
}

const label = ({ role, name }: PageElement) => `${role} "${name}"`;

/** `- button "Save"`, `- heading "Users" [level=1]`, `- listitem: Ann`; a line in quotes is YAML's way to hold a colon. */
const form = /^\s*- '?([a-z]+)(?: "((?:[^"\\]|\\.)*)")?(?: \[[^\]]*\])*'?(?:: (.*))?:?$/u;

/** The elements of an accessibility tree as Playwright writes it, in order. Pure. */
export function parseSnapshot(snapshot: string): PageElement[] {
  const counts = new Map<string, number>();
  return snapshot.split("\n").flatMap((line) => {
    const [, role, quotedName, text = ""] = form.exec(line) ?? [];
    if (role === undefined) return [];
    const name = quotedName?.replace(/\\(["\\])/gu, "$1").replaceAll("''", "'") ?? text;
    const key = `${role} ${name}`;
    const nth = counts.get(key) ?? 0;
    counts.set(key, nth + 1);
    return [{ role, name, nth }];
  });
}

/** The names on a page nearest to words that it lacks, such as `heading "Users"`. Pure. */
export const nearestOnPage = (snapshot: string, words: string): string[] =>
  nearestNames(parseSnapshot(snapshot), words);

/** The five names that share most pairs of letters with the one that is missing. */
function nearestNames(all: readonly PageElement[], name: string): string[] {
  const asked = pairs(name);
  const score = (other: string) => {
    const its = pairs(other);
    return (2 * [...its].filter((pair) => asked.has(pair)).length) / (its.size + asked.size || 1);
  };
  const named = all.filter((element) => element.name !== "" && element.name.length <= 80);
  const sorted = named.toSorted((one, other) => score(other.name) - score(one.name));
  return [...new Set(sorted.map(label))].slice(0, 5);
}

function pairs(text: string): Set<string> {
  const letters = text.toLowerCase();
  return new Set(
    Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)),
  );
}
