import { expect, test } from "vitest";
import { checkExchange } from "../../support/github/openapi/check-exchange.ts";
import { takeRefused } from "../../support/github/openapi/refused.ts";

type Exchange = { asked: string; body?: unknown; status?: number; answer?: unknown };

function refusedOf({ asked, body, status = 200, answer = {} }: Exchange): string[] {
  const [method = "", path = ""] = asked.split(" ");
  checkExchange({ method, path, authorization: undefined, body }, { status, body: answer });
  return takeRefused();
}

const pulls = "/api/v3/repos/o/r/pulls";
const wanted = { head: "ralph/it", base: "main", title: "It" };
const query = "query { viewer { login } }";

test.each<Exchange>([
  { asked: `POST ${pulls}`, body: wanted, status: 201, answer: { number: 1, merged_at: null } },
  { asked: `GET ${pulls}?state=all&per_page=100`, answer: [{ number: 1 }] },
  { asked: "GET /repos/o/r/git/ref/heads%2Fmain", answer: { object: { type: "commit" } } },
  { asked: "POST /api/graphql", body: { query } },
  { asked: `POST ${pulls}`, body: wanted, status: 502 },
])("GitHub describes $asked", (exchange) => {
  expect(refusedOf(exchange)).toEqual([]);
});

test.each<[fault: string, exchange: Exchange]>([
  ["no such operation", { asked: "GET /repos/o/r/pull/1" }],
  ["query stat is an unknown parameter", { asked: `GET ${pulls}?stat=all`, answer: [] }],
  ["query per_page is more than 100", { asked: `GET ${pulls}?per_page=200`, answer: [] }],
  ['query state is "any"', { asked: `GET ${pulls}?state=any`, answer: [] }],
  ["request.base is missing", { asked: `POST ${pulls}`, body: { head: "a" }, status: 201 }],
  [
    "request.drft is an unknown field",
    { asked: `POST ${pulls}`, body: { ...wanted, drft: true }, status: 201 },
  ],
  [
    "request.draft is string instead of boolean",
    { asked: `POST ${pulls}`, body: { ...wanted, draft: "yes" }, status: 201 },
  ],
  ["the status 202 is not described", { asked: `POST ${pulls}`, body: wanted, status: 202 }],
  ["answer[].titel is an unknown field", { asked: `GET ${pulls}`, answer: [{ titel: "" }] }],
  ["answer[].number is string instead of", { asked: `GET ${pulls}`, answer: [{ number: "1" }] }],
  ['Cannot query field "name"', { asked: "POST /graphql", body: { query: "{ viewer { name } }" } }],
])("an exchange is refused: %s", (fault, exchange) => {
  expect(refusedOf(exchange).join("\n")).toContain(fault);
});
