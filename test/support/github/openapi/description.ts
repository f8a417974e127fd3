import { readFileSync } from "node:fs";

/** A part of JSON Schema as OpenAPI 3.0 uses it. */
export interface Schema {
  $ref?: string;
  type?: string;
  nullable?: boolean;
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean | Schema;
  required?: readonly string[];
  items?: Schema;
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  schema?: Schema;
}

type Body = { required?: boolean; content?: Readonly<Record<string, { schema?: Schema }>> };

export interface Operation {
  parameters?: readonly (Parameter & { $ref?: string })[];
  requestBody?: Body & { $ref?: string };
  responses: Readonly<Record<string, Body & { $ref?: string }>>;
}

type Extract = {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: Readonly<Record<string, unknown>>;
};

/** What GitHub says of the operations ralph uses, on one of its products. */
export interface Description {
  name: string;
  /** The operation a request calls, with the values of its path. */
  find: (method: string, path: string) => Called | undefined;
  /** What a reference stands for; anything else as it is. */
  resolve: <Part extends object>(part: Part) => Part;
}

export interface Called {
  route: string;
  operation: Operation;
  values: Readonly<Record<string, string>>;
}

const folder = new URL("../../../fixtures/openapi/", import.meta.url);
const read = (name: string): Extract =>
  JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"));

/** Descriptions of github.com and of the oldest and newest GitHub Enterprise, which are kept as differences to it. */
export function readDescriptions(): Description[] {
  const hub = read("github.com");
  const servers = ["ghes-3.17", "ghes-3.19"].map((name) => {
    const { paths, components } = read(name);
    return describe(name, {
      paths: { ...hub.paths, ...paths },
      components: { ...hub.components, ...components },
    });
  });
  return [describe("github.com", hub), ...servers];
}

function describe(name: string, { paths, components }: Extract): Description {
  // A literal part of a path wins over a parameter.
  const routes = Object.keys(paths)
    .toSorted((one, other) => parametersOf(one).length - parametersOf(other).length)
    .map((route) => ({ route, names: parametersOf(route), pattern: patternOf(route) }));
  const resolve = <Part extends object>(part: Part): Part =>
    "$ref" in part && typeof part.$ref === "string"
      ? resolve(components[part.$ref.replace("#/components/", "")] as Part)
      : part;
  return {
    name,
    resolve,
    find: (method, path) => {
      for (const { route, names, pattern } of routes) {
        const operation = paths[route]?.[method.toLowerCase()];
        const match = operation && pattern.exec(path);
        if (!match) continue;
        const values = names.map((key, index) => [key, decodeURIComponent(match[index + 1] ?? "")]);
        return { route, operation, values: Object.fromEntries(values) };
      }
      return undefined;
    },
  };
}

const parametersOf = (route: string) =>
  Array.from(route.matchAll(/\{([^}]+)\}/g), ([, name = ""]) => name);

/** Names of refs and paths of files may hold slashes. */
const patternOf = (route: string) =>
  new RegExp(
    `^${route
      .replaceAll(".", "\\.")
      .replaceAll(/\{(?:path|ref)\}/g, "(.+)")
      .replaceAll(/\{[^}]+\}/g, "([^/]+)")}$`,
  );
