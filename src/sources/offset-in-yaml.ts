import { type Document, isAlias, isMap, isScalar, isSeq, type Node } from "yaml";

/** Start of the key or item the path ends at, or of the last part of the path that exists. */
export function offsetInYaml(document: Document.Parsed, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = nodeStart(node);
  for (const step of path) {
    const found = findStep(isAlias(node) ? node.resolve(document) : node, step);
    if (!found) break;
    offset = nodeStart(found.key);
    node = found.value;
  }
  return offset;
}

function findStep(node: unknown, step: PropertyKey): { key: unknown; value: unknown } | undefined {
  // Of repeated keys the last one counts.
  if (isMap(node)) return node.items.findLast(({ key }) => isScalar(key) && key.value === step);
  if (!isSeq(node) || typeof step !== "number") return undefined;
  const item = node.items[step];
  return item === undefined ? undefined : { key: item, value: item };
}

/** The offset at which a parsed node begins. */
export function nodeStart(node: unknown): number {
  const { range } = (node ?? {}) as Partial<Node>;
  return range?.[0] ?? 0;
}
