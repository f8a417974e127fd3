import type { Reply, Seen } from "../server.ts";
import { type Called, type Description, type Parameter, readDescriptions } from "./description.ts";
import { documentFaults } from "./document-faults.ts";
import { refuse } from "./refused.ts";
import { schemaFaults } from "./schema-faults.ts";

let descriptions: readonly Description[] | undefined;

/** Compares a request and its answer with what GitHub says of them; the test that made them fails. */
export function checkExchange(seen: Seen, reply: Reply): void {
  const { pathname, searchParams: query } = new URL(seen.path, "http://fake");
  const path = pathname.replace(/^\/api(?:\/v3)?(?=\/)/, "");
  if (reply.broken || /^\/(?:storage|login)\b|\.git\//.test(path)) return;
  if (path === "/graphql") {
    for (const fault of documentFaults(seen.body)) refuse(`POST ${path}: ${fault}`);
    return;
  }
  descriptions ??= readDescriptions();
  const exchange = { seen, reply, path, query };
  // After the first product that refuses it the others would say the same again.
  const first = descriptions.map((each) => faultsBy(each, exchange)).find(({ length }) => length);
  for (const fault of first ?? []) refuse(fault);
}

type Exchange = { seen: Seen; reply: Reply; path: string; query: URLSearchParams };

function faultsBy(description: Description, { seen, reply, path, query }: Exchange): string[] {
  const { method, body } = seen;
  const called = description.find(method, path);
  const faults = called
    ? [
        ...parameterFaults(description, called, query),
        ...requestFaults(description, called, body),
        ...answerFaults(description, called, reply),
      ]
    : ["no such operation; see .github/scripts/extract-openapi.ts"];
  return faults.map(
    (fault) => `${method} ${called?.route ?? path} (${description.name}): ${fault}`,
  );
}

function parameterFaults(description: Description, called: Called, query: URLSearchParams) {
  const { operation, values } = called;
  const parameters = (operation.parameters ?? []).map(description.resolve);
  const asked = [...query].map(([name, value]) => ({ name, value, in: "query" }));
  const inPath = Object.entries(values).map(([name, value]) => ({ name, value, in: "path" }));
  const missing = parameters.filter(
    ({ name, required, in: where }) => where === "query" && required && !query.has(name),
  );
  return [
    ...missing.map(({ name }) => `query ${name} is missing`),
    ...[...asked, ...inPath].flatMap(({ name, value, in: where }) => {
      const parameter = parameters.find((each) => each.name === name && each.in === where);
      const at = `${where} ${name}`;
      if (!parameter) return [`${at} is an unknown parameter`];
      if (name === "per_page" && Number(value) > 100) return [`${at} is more than 100`];
      return valueFaults(description, parameter, { value, at });
    }),
  ];
}

type Text = { value: string; at: string };

/** A text of the address as the type that is described. */
function valueFaults({ resolve }: Description, parameter: Parameter, { value, at }: Text) {
  // A time may be a range in GitHub's search syntax, which the description does not say.
  const { format: _, ...schema } = resolve(parameter.schema ?? {});
  const { type } = schema;
  const typed = type === "integer" ? Number(value) : type === "boolean" ? value === "true" : value;
  return schemaFaults({ resolve, isWhole: true }, schema, typed, at);
}

function requestFaults({ resolve }: Description, { operation }: Called, body: unknown): string[] {
  const described = operation.requestBody && resolve(operation.requestBody);
  const schema = described?.content?.["application/json"]?.schema;
  if (body === undefined) return described?.required ? ["the request has no body"] : [];
  if (schema) return schemaFaults({ resolve, isWhole: true }, schema, body, "request");
  return Object.keys(body as object).length > 0 ? ["the request takes no body"] : [];
}

/** GitHub describes few of its refusals. */
function answerFaults({ resolve }: Description, { operation }: Called, reply: Reply): string[] {
  const { status = 200, body } = reply;
  if (status >= 400) return [];
  const answer = operation.responses[String(status)];
  if (!answer) return [`the status ${status} is not described`];
  const schema = resolve(answer).content?.["application/json"]?.schema;
  if (!schema || body === undefined || Buffer.isBuffer(body)) return [];
  return schemaFaults({ resolve, isWhole: false }, schema, body, "answer");
}
