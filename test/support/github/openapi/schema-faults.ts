import type { Description, Schema } from "./description.ts";

type Context = {
  resolve: Description["resolve"];
  /** Answers of the fake are partial: only requests must have every required field. */
  isWhole: boolean;
};
type Place = { at: string; depth: number };

/** What a schema says against a value; `at` names the value. */
export function schemaFaults(context: Context, schema: Schema, value: unknown, at: string) {
  return faultsOf(context, schema, value, { at, depth: 0 });
}

/** Schemas may contain themselves; nothing that is sent is as deep. */
const maxDepth = 16;

function faultsOf(context: Context, given: Schema, value: unknown, place: Place): string[] {
  if (place.depth > maxDepth) return [];
  const schema = merged(context, given);
  if (value === null && (schema.nullable || schema.enum?.includes(null))) return [];
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return fewest(context, { ...schema, choices }, value, place);
  const type = typeOf(value);
  const isFitting =
    schema.type === undefined ||
    schema.type === type ||
    (schema.type === "number" && type === "integer");
  if (!isFitting) return [`${place.at} is ${type} instead of ${schema.type}`];
  return [
    ...valueFaults(schema, value, place.at),
    ...(Array.isArray(value) ? itemFaults(context, schema, value, place) : []),
    ...(type === "object" ? fieldFaults(context, schema, value as object, place) : []),
  ];
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

/** One schema instead of several that all hold. */
function merged(context: Context, given: Schema): Schema {
  const schema = context.resolve(given);
  if (!schema.allOf) return schema;
  const { allOf, ...own } = schema;
  const parts = [own, ...allOf.map((part) => merged(context, part))];
  return {
    ...Object.assign({}, ...parts.toReversed()),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required }) => required ?? []),
  };
}

type Choices = Schema & { choices: readonly Schema[] };

/** The faults of the alternative that fits best. */
function fewest(context: Context, schema: Choices, value: unknown, place: Place): string[] {
  const { choices, oneOf: _, anyOf: __, ...common } = schema;
  const tried = choices.map((choice) => {
    const part = merged(context, choice);
    const properties = { ...common.properties, ...part.properties };
    const required = [...(common.required ?? []), ...(part.required ?? [])];
    const whole = { ...common, ...part, properties, required };
    return faultsOf(context, whole, value, { ...place, depth: place.depth + 1 });
  });
  return tried.toSorted((one, other) => one.length - other.length)[0] ?? [];
}

function valueFaults(schema: Schema, value: unknown, at: string): string[] {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = schema;
  const isText = typeof value === "string";
  const isListed = schema.enum === undefined || schema.enum.includes(value);
  const isTime = !isText || format !== "date-time" || !Number.isNaN(Date.parse(value));
  return [
    ...(isListed ? [] : [`${at} is ${JSON.stringify(value)}, which is not in its list`]),
    ...(isText && value.length > maxLength ? [`${at} is longer than ${maxLength}`] : []),
    ...(isText && value.length < minLength ? [`${at} is shorter than ${minLength}`] : []),
    ...(isText && pattern && !new RegExp(pattern).test(value) ? [`${at} is not /${pattern}/`] : []),
    ...(isTime ? [] : [`${at} is no time`]),
  ];
}

function itemFaults(context: Context, schema: Schema, items: readonly unknown[], place: Place) {
  const { maxItems = Number.POSITIVE_INFINITY, items: each = {} } = schema;
  const inside = { at: `${place.at}[]`, depth: place.depth + 1 };
  return [
    ...(items.length > maxItems ? [`${place.at} has more than ${maxItems} items`] : []),
    ...new Set(items.flatMap((item) => faultsOf(context, each, item, inside))),
  ];
}

function fieldFaults(context: Context, schema: Schema, value: object, place: Place): string[] {
  const { properties = {}, additionalProperties = false, required = [] } = schema;
  const isOpen = additionalProperties === true || Object.keys(properties).length === 0;
  const rest = typeof additionalProperties === "object" ? additionalProperties : undefined;
  const missing = context.isWhole ? required.filter((name) => !(name in value)) : [];
  const found = Object.entries(value).flatMap(([name, field]) => {
    const known = properties[name] ?? rest;
    const at = `${place.at}.${name}`;
    if (known) return faultsOf(context, known, field, { at, depth: place.depth + 1 });
    return isOpen ? [] : [`${at} is an unknown field`];
  });
  return [...missing.map((name) => `${place.at}.${name} is missing`), ...found];
}
