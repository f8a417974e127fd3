import webhooks from "@octokit/webhooks-examples" with { type: "json" };
import { expect, test } from "vitest";
import * as z from "zod";
import { rules } from "../../../app/rules/rules.ts";
import { Triggers } from "../../../src/schema/config/publishing.ts";

const settings = {
  triggers: Triggers.parse({}),
  reports: { folder: "./reports", patterns: ["*.md"] },
  ...{ selfId: 900, workflows: [".github/workflows/ralph.yml"] },
};
const read = (event: string, payload: unknown) =>
  rules.find((rule) => rule.event === event)?.read(payload, settings);

type Examples = { name: string; examples: Record<string, unknown>[] }[];
const published = (webhooks as unknown as Examples).flatMap(({ name, examples: payloads }) =>
  payloads.map((payload) => {
    const event = typeof payload.action === "string" ? `${name}.${payload.action}` : name;
    return [event, payload] as const;
  }),
);

const known = published.filter(([event]) => rules.some((rule) => rule.event === event));

test("each of GitHub's own examples is parsed, whatever fields it leaves out", () => {
  expect(known.length).toBeGreaterThan(20);
  for (const [event, payload] of known) {
    const installation = payload.installation ?? { id: 3 };
    expect(Array.isArray(read(event, { ...payload, installation })), event).toBe(true);
  }
});

test("an example without any one of its fields is parsed or refused as incomplete", () => {
  for (const [event, payload] of known) {
    for (const key of Object.keys(payload)) {
      try {
        read(event, { ...payload, [key]: undefined });
      } catch (error) {
        expect(error, `${event} without ${key}`).toBeInstanceOf(z.ZodError);
      }
    }
  }
});
