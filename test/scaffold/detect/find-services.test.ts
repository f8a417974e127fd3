import { expect, test } from "vitest";
import { parse } from "yaml";
import { detectProject } from "../../../src/scaffold/detect/detect-project.ts";
import { renderConfig } from "../../../src/scaffold/write/render-config.ts";
import { checkConfig } from "../../../src/schema/config/check-config.ts";
import { createTestSystem } from "../../support/project/system.ts";

async function render(given: Record<string, string>): Promise<string> {
  await using system = await createTestSystem();
  const files = system.files(system.root);
  for (const [path, text] of Object.entries(given)) await files.write(path, text);
  const detected = await detectProject(files, { baseBranch: "main", template: "fullstack" });
  return renderConfig(detected);
}

const vite = JSON.stringify({ devDependencies: { vite: "7" } });
const fastapi = '[project]\nname = "x"\ndependencies = ["fastapi", "uvicorn"]\n';

test("FastAPI behind Vite is written with its commands and one browser test", async () => {
  const text = await render({
    "frontend/package.json": vite,
    "pyproject.toml": fastapi,
    "src/api/main.py": "from fastapi import FastAPI\napp = FastAPI()\n",
  });
  const config = parse(text);
  expect(checkConfig(config).data).toBeDefined();
  expect(config.services).toMatchObject({
    backend: {
      start: { dev: expect.stringContaining("uvicorn src.api.main:app --port {port}") },
      port: 8000,
    },
    frontend: { serve: { dev: "cd frontend && npx vite --port {port} --strictPort" }, port: 5173 },
  });
  expect(config.ui.agent_browser).toEqual({
    enabled: false,
    tests: [{ name: "app_loads", action: "open" }],
  });
});

test("Express behind Next.js is written with its port in the environment", async () => {
  const config = parse(
    await render({
      "web/package.json": JSON.stringify({ dependencies: { next: "16" } }),
      "api/package.json": JSON.stringify({ dependencies: { express: "5" } }),
      "api/server.js": "app.listen(process.env.PORT);\n",
    }),
  );
  expect(config.services.backend.start.dev).toBe("cd api && PORT={port} node server.js");
  expect(config.services.frontend.build).toBe("cd web && npx next build");
});

test("servers that are not recognised are an example in comments", async () => {
  const text = await render({ "backend/go.mod": "module x\n" });
  expect(text).toContain("# None was recognised; an example:");
  expect(parse(text).services).toBeUndefined();
});
