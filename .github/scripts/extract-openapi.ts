import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type DocumentNode, Kind, parse, print, visit } from "graphql";
import { graphqlFields, operations } from "./openapi-operations.ts";

/**
 * Extracts from GitHub's descriptions the operations ralph uses, for the tests: `npm install @octokit/openapi
 * @octokit/graphql-schema` in a folder elsewhere (400 MB), then `node .github/scripts/extract-openapi.ts FOLDER`.
 */
const [folder = "."] = process.argv.slice(2);
const target = new URL("../../test/fixtures/openapi/", import.meta.url).pathname;
const enterprise = ["ghes-3.17", "ghes-3.19"];

type Json = { [key: string]: Json } & Json[];
type Description = { paths: Json; components: Json };

async function readDescription(name: string): Promise<Description> {
  const path = join(folder, `node_modules/@octokit/openapi/generated/${name}.json`);
  const whole = JSON.parse(await readFile(path, "utf8")) as Description;
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const [method = "", route = ""] = operation.split(" ");
    const found = whole.paths[route]?.[method.toLowerCase()];
    if (!found) throw new Error(`${name} has no ${operation}.`);
    paths[route] = { ...paths[route], [method.toLowerCase()]: strip(found) };
  }
  const components = {};
  collect(whole.components, paths as unknown as Json, components);
  return { paths: paths as unknown as Json, components: components as Json };
}

/** Adds every component that is referred to, directly or by another one. */
function collect(all: Json, part: Json, found: Record<string, unknown>): void {
  for (const [, kind = "", name = ""] of JSON.stringify(part).matchAll(
    /"#\/components\/([^/"]+)\/([^"]+)"/g,
  )) {
    const key = `${kind}/${name}`;
    if (key in found) continue;
    const component = strip(all[kind]?.[name] as Json);
    found[key] = component;
    collect(all, component, found);
  }
}

const texts =
  /^(?:description|summary|title|tags|operationId|externalDocs|examples?|links|headers|default|deprecated|servers|x-.*)$/;

/** Leaves out what explains; names of properties and parameters are kept. */
function strip(value: Json, areNames = false): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => strip(item)) as unknown as Json;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => areNames || !texts.test(key))
      .map(([key, item]) => [key, strip(item as Json, !areNames && key === "properties")]),
  ) as Json;
}

const differing = (part: Json, base: Json) =>
  Object.fromEntries(
    Object.entries(part).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(base[key]),
    ),
  );

async function write(name: string, content: object): Promise<void> {
  await writeFile(join(target, name), `${JSON.stringify(content)}\n`);
}

/** Only the fields that ralph's documents name. */
async function readGraphql(): Promise<string> {
  const path = join(folder, "node_modules/@octokit/graphql-schema/schema.graphql");
  const bare = { description: undefined, directives: [], interfaces: [] };
  const definitions = parse(await readFile(path, "utf8")).definitions.flatMap((definition) => {
    const names = "name" in definition ? graphqlFields[definition.name?.value ?? ""] : undefined;
    if (!names) return [];
    const fields = "fields" in definition ? definition.fields : undefined;
    const kept = fields?.filter(({ name }) => names.includes(name.value));
    return [{ ...definition, ...bare, fields: kept?.map((field) => ({ ...field, ...bare })) }];
  });
  const document = { kind: Kind.DOCUMENT, definitions } as DocumentNode;
  return `${print(visit(document, { InputValueDefinition: (node) => ({ ...node, ...bare }) }))}\n`;
}

const hub = await readDescription("api.github.com");
await write("github.com.json", { ...hub });
for (const name of enterprise) {
  const { paths, components } = await readDescription(name);
  await write(`${name}.json`, {
    paths: differing(paths, hub.paths),
    components: differing(components, hub.components),
  });
}
await writeFile(join(target, "schema.graphql"), await readGraphql());
