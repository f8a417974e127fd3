import type { Part } from "./part.ts";

const kinds = ["Backend", "Frontend", "Database", "Testing"] as const;
/** Well-known technologies and their packages. */
const packages: readonly [kind: (typeof kinds)[number], shown: string, ...names: string[]][] = [
  ["Backend", "FastAPI", "fastapi"],
  ["Backend", "Django", "django"],
  ["Backend", "Flask", "flask"],
  ["Backend", "Express", "express"],
  ["Backend", "Fastify", "fastify"],
  ["Backend", "NestJS", "@nestjs/core"],
  ["Backend", "Hono", "hono"],
  ["Frontend", "Next.js", "next"],
  ["Frontend", "React", "react"],
  ["Frontend", "Vue", "vue"],
  ["Frontend", "Nuxt", "nuxt"],
  ["Frontend", "Svelte", "svelte"],
  ["Frontend", "Angular", "@angular/core"],
  ["Frontend", "Vite", "vite"],
  ["Database", "PostgreSQL", "pg", "postgres", "psycopg", "psycopg2", "psycopg2-binary", "asyncpg"],
  ["Database", "MySQL", "mysql2", "mysqlclient", "pymysql"],
  ["Database", "SQLite", "better-sqlite3", "sqlite3", "aiosqlite"],
  ["Database", "MongoDB", "mongodb", "mongoose", "pymongo", "motor"],
  ["Database", "Redis", "redis", "ioredis"],
  ["Database", "Prisma", "prisma", "@prisma/client"],
  ["Database", "SQLAlchemy", "sqlalchemy"],
  ["Testing", "Vitest", "vitest"],
  ["Testing", "Jest", "jest"],
  ["Testing", "Mocha", "mocha"],
  ["Testing", "Playwright", "@playwright/test", "playwright"],
  ["Testing", "Cypress", "cypress"],
  ["Testing", "pytest", "pytest"],
];

/** All package names, for manifests whose dependencies cannot be listed. */
export const knownPackages: readonly string[] = packages.flatMap(([, , ...names]) => names);

/** Lines of the section "Technology Stack": toolchains, technologies by dependency, and test commands. */
export function technologyLines(parts: readonly Part[]): string[] {
  const asked = new Set(parts.flatMap(({ dependencies }) => dependencies));
  const known = packages.filter(([, , ...names]) => names.some((name) => asked.has(name)));
  const commands = parts.flatMap(({ gates }) => gates).filter(({ role }) => role === "test");
  const lines = [
    ...parts.map(({ title }) => `- **Toolchain**: ${title}`),
    ...kinds.map((kind) => {
      const shown = known.flatMap(([each, name]) => (each === kind ? name : []));
      return shown.length > 0 ? `- **${kind}**: ${shown.join(", ")}` : "";
    }),
    ...commands.map(({ cmd }) => `- **Tests are run by**: \`${cmd}\``),
  ];
  return lines.filter((line) => line !== "");
}
