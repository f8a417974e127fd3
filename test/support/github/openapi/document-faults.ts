import { readFileSync } from "node:fs";
import { buildSchema, type GraphQLSchema, getVariableValues, Kind, parse, validate } from "graphql";

const file = new URL("../../../fixtures/openapi/schema.graphql", import.meta.url);
let schema: GraphQLSchema | undefined;

/** What GitHub's GraphQL schema says against a document and its variables. */
export function documentFaults(body: unknown): string[] {
  const { query, variables = {} } = body as { query: string; variables?: Record<string, unknown> };
  schema ??= buildSchema(readFileSync(file, "utf8"), { assumeValid: true });
  const known = schema;
  const document = parse(query);
  const inputs = document.definitions.flatMap((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
    return getVariableValues(known, definition.variableDefinitions ?? [], variables).errors ?? [];
  });
  return [...validate(known, document), ...inputs].map(({ message }) => message);
}
