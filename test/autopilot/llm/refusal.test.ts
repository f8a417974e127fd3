import { once } from "node:events";
import { createServer } from "node:http";
import { expect, test } from "vitest";
import { createApiModel } from "../../../src/autopilot/llm/api-model.ts";
import { askModel } from "../../../src/autopilot/llm/ask-model.ts";
import type { ApiProvider } from "../../../src/autopilot/llm/choose-provider.ts";
import { AnalysisShape } from "../../../src/autopilot/planning/analysis-prompt.ts";
import { createModelContext } from "../../support/autopilot/team.ts";

const usage = { input_tokens: 1, output_tokens: 1 };
const message = { type: "message", id: "m", role: "assistant", status: "completed" };
const choice = {
  index: 0,
  message: { role: "assistant", content: "" },
  finish_reason: "content_filter",
};

const refusals: [ApiProvider, body: object][] = [
  ["anthropic", { ...message, model: "m", content: [], stop_reason: "refusal", usage }],
  [
    "openai",
    {
      ...{ id: "r", object: "response", created_at: 1, model: "m", status: "incomplete", usage },
      incomplete_details: { reason: "content_filter" },
      output: [{ ...message, content: [{ type: "output_text", text: "", annotations: [] }] }],
    },
  ],
  ["openrouter", { id: "c", object: "chat.completion", created: 1, model: "m", choices: [choice] }],
  ["gateway", { id: "c", object: "chat.completion", created: 1, model: "m", choices: [choice] }],
];

test.each(refusals)(
  "%s: a refusal is reported, and the question is not repeated",
  async (provider, body) => {
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/v1`;
    const context = createModelContext(
      createApiModel({ provider, baseUrl, key: "s3cret", keyName: "API_KEY", model: "m" }),
    );
    const inquiry = {
      ...({ subject: "The analysis", reason: "analysis", name: "analysis" } as const),
      ...{ instructions: "i", prompt: "p", shape: AnalysisShape, maxTokens: 10 },
      judge: () => ({ kind: "bad" as const, problems: [] }),
    };
    await expect(askModel(context, inquiry)).rejects.toThrow("the model refused to answer");
    expect(asked).toBe(1);
    // What it used is paid for, where the provider tells it.
    expect(context.used).toEqual("usage" in body ? [expect.objectContaining(usage)] : []);
    server.close();
  },
);

test("a key is not sent to the target of a redirect", async () => {
  let followed = false;
  const server = createServer((request, response) => {
    followed ||= request.url === "/elsewhere";
    response.writeHead(307, { location: "/elsewhere" }).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/v1`;
  const model = createApiModel({
    provider: "anthropic",
    baseUrl,
    key: "s3cret",
    keyName: "API_KEY",
    model: "m",
  });
  const question = {
    instructions: "i",
    prompt: "p",
    shape: AnalysisShape,
    name: "n",
    maxTokens: 10,
  };
  const reply = await model.ask({ ...question, signal: AbortSignal.timeout(5000) });
  expect(reply.kind).toBe("failed");
  expect(followed).toBe(false);
  server.close();
});
