import { delimiter } from "node:path";
import { expect, inject } from "vitest";
import type { Environment } from "../../src/platform/system.ts";
import { task } from "../support/builders/session.ts";
import { anthropic } from "../support/model-server/anthropic.ts";
import type { Dialect } from "../support/model-server/dialect.ts";
import { google } from "../support/model-server/google.ts";
import { openai } from "../support/model-server/openai.ts";
import type { Script, Turn } from "../support/model-server/script.ts";
import { type ModelServer, startModelServer } from "../support/model-server/server.ts";
import { createProject, type Project, type ProjectOptions } from "../support/project/project.ts";

/** A program as its users have it: found on PATH, with a key, and a provider that we play. */
export interface RealAgent {
  driver: string;
  /** The header that carries its key. */
  keyHeader: string;
  dialect: Dialect;
  /** The variables that lead it to the provider at `url`. */
  connect: (url: string) => Environment;
  /** How often it asks its provider, of its own, when it is refused with 429 and no time to wait. */
  tries: number;
  /** What it says of what a call took. */
  usage: Record<string, unknown>;
  /** What its provider says when there is no money left. */
  unpaid: Turn;
  /** What a reviewer's tool call is answered with. */
  refusesWriting: RegExp;
}

const some: unknown = expect.toSatisfy((count) => count > 0);

export const claude: RealAgent = {
  driver: "claude",
  keyHeader: "x-api-key",
  dialect: anthropic,
  connect: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "sk-ant-no-real-key" }),
  tries: 3,
  usage: { turns: some, cost_usd: some, input_tokens: some, output_tokens: some },
  unpaid: { refuse: { status: 400, message: "Your credit balance is too low to go on." } },
  refusesWriting: /No such tool available/,
};

const quota = "You exceeded your current quota, please check your plan and billing details.";

const codex: RealAgent = {
  driver: "codex",
  keyHeader: "authorization",
  dialect: openai,
  connect: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "sk-no-real-key" }),
  tries: 1,
  unpaid: { refuse: { status: 429, message: quota, type: "insufficient_quota" } },
  usage: { input_tokens: some, output_tokens: some },
  refusesWriting: /Read-only file system/,
};

const gemini: RealAgent = {
  driver: "gemini",
  keyHeader: "x-goog-api-key",
  dialect: google,
  connect: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "AIza-no-real-key" }),
  tries: 3,
  usage: { input_tokens: some, output_tokens: some },
  unpaid: { refuse: { status: 429, message: quota } },
  refusesWriting: /not found|denied|Plan Mode/i,
};

/** Whoever adds a program here proves its driver. */
export const agents = [claude, codex, gemini];

/** Where the programs are; empty when they cannot be installed, and then everything is skipped. */
export const programs = inject("agentPrograms");

export interface RealProject extends Project {
  server: ModelServer;
}

export interface RealProjectOptions extends ProjectOptions {
  /** Further settings of the implementation agent. */
  settings?: Record<string, unknown>;
  /** Where its key is: with the program, or outside of the sandbox. */
  credentials?: "passed" | "proxied";
}

/** A project with one task whose roles all call the real program, and a model that plays the script. */
export async function createRealProject(
  agent: RealAgent,
  script: Script,
  { settings, credentials = "passed", ...options }: RealProjectOptions = {},
): Promise<RealProject> {
  const server = await startModelServer(agent.dialect, script);
  const { driver } = agent;
  const project = await createProject({
    tasks: [task("T-001")],
    ...options,
    agents: {
      implementation: { driver, ...settings },
      test_writing: { driver },
      review: { driver },
      credentials,
    },
    env: { PATH: `${programs}${delimiter}${process.env.PATH}` },
  });
  Object.assign(project.system.env, agent.connect(server.url));
  return {
    ...project,
    server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
    },
  };
}
