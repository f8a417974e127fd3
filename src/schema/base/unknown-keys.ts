import * as z from "zod";
import { isSameName, nearest } from "./nearest.ts";

/** An unknown key, and the known one that is probably meant: one at the same place, or the path of one elsewhere. */
export type UnknownKey = { path: PropertyKey[]; meant: string | undefined };

/** The part of a printed JSON schema that defines the allowed keys. */
type Node = {
  properties?: Record<string, Node>;
  additionalProperties?: Node | boolean;
  propertyNames?: { enum?: string[] };
  items?: Node;
  anyOf?: Node[];
};

/** Every key of `value` that `schema` does not name, at any depth. Open objects accept any key. */
export function unknownKeys(schema: z.ZodType, value: unknown): UnknownKey[] {
  const root = z.toJSONSchema(schema, { target: "draft-7", io: "input" }) as Node;
  const known = namedPaths(root);
  return keysBelow(root, value, []).map(({ path, meant }) => ({
    path,
    meant: meant ?? elsewhere(known, path),
  }));
}

/** Of a value that is a word or an object, the object. */
const objectOf = (node: Node): Node => node.anyOf?.find(({ properties }) => properties) ?? node;

function keysBelow(given: Node, value: unknown, path: PropertyKey[]): UnknownKey[] {
  const node = objectOf(given);
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => keysBelow(node.items ?? {}, item, [...path, index]));
  }
  const { properties, additionalProperties: rest, propertyNames } = node;
  if (!properties && typeof rest !== "object") return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const known = namedBy(node, key);
    if (known) return keysBelow(known, child, [...path, key]);
    const names = propertyNames?.enum ?? Object.keys(properties ?? {});
    return [{ path: [...path, key], meant: nearest(key, names) }];
  });
}

/** The schema of a key's value; undefined for a key that is not allowed. */
function namedBy(node: Node, key: string): Node | undefined {
  const { properties = {}, additionalProperties: rest, propertyNames } = node;
  if (Object.hasOwn(properties, key)) return properties[key];
  const isName = propertyNames?.enum?.includes(key) ?? true;
  return typeof rest === "object" && isName ? rest : undefined;
}

/** Paths of all keys that have a fixed place, such as `git.base_branch`. */
function namedPaths(node: Node, path: string[] = []): string[][] {
  const { properties = {} } = objectOf(node);
  return Object.entries(properties).flatMap(([key, child]) => [
    [...path, key],
    ...namedPaths(child, [...path, key]),
  ]);
}

/** The only place of a key with this name; undefined if there are several. */
function elsewhere(known: readonly string[][], path: readonly PropertyKey[]): string | undefined {
  const name = String(path.at(-1));
  const places = known.filter((each) => isSameName(each.at(-1) ?? "", name));
  return places.length === 1 ? places[0]?.join(".") : undefined;
}
