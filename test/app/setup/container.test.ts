import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

type Service = { image?: string; init?: boolean; read_only?: boolean; depends_on?: object };

test("the compose file starts the App behind a proxy that ends TLS, beside a database that is ready first", () => {
  const { services } = parse(read("app/compose.yml")) as { services: Record<string, Service> };
  expect(Object.keys(services)).toEqual(["proxy", "app", "database"]);
  expect(services.app).toMatchObject({ init: true, read_only: true });
  expect(services.app?.depends_on).toEqual({ database: { condition: "service_healthy" } });
  expect(read("app/Caddyfile")).toContain("reverse_proxy app:3000");
});

test("the image takes its base as an argument, which may be a digest, has an init, and runs as an ordinary user", () => {
  const file = read("app/Containerfile");
  expect(file.match(/^FROM \$\{NODE_IMAGE\}/gm)).toHaveLength(2);
  expect(file.match(/^FROM /gm)).toHaveLength(2);
  expect(file).toMatch(/^ENTRYPOINT \["tini"/m);
  expect(file).toMatch(/^USER node$/m);
  expect(file).toMatch(/^HEALTHCHECK /m);
});

test("a build sends nothing but the sources, and no settings", () => {
  const lines = read(".dockerignore")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"));
  expect(lines[0]).toBe("*");
  expect(lines).toContain("app/app.env");
});

type Job = { permissions?: Record<string, string>; steps: { run?: string }[] };

test("a release builds the image on a base named by its digest, and publishes it after its health check", () => {
  const { jobs } = parse(read(".github/workflows/release.yml")) as { jobs: Record<string, Job> };
  const runOf = (job: string) => jobs[job]?.steps.map(({ run = "" }) => run).join("\n") ?? "";
  expect(runOf("image")).toMatch(/RepoDigests.*\n.*--build-arg "NODE_IMAGE=\$base"/);
  expect(runOf("image")).toContain("{{.State.Health.Status}}");
  expect(jobs.image?.permissions).toEqual({ contents: "read" });
  // The job that may write builds nothing.
  expect(jobs["publish-image"]?.permissions).toMatchObject({ packages: "write" });
  expect(runOf("publish-image")).not.toMatch(/docker build|npm /);
});
