import * as z from "zod";
import { durationSchema, longestSeconds } from "../base/duration.ts";
import { between, rooted, ShellCommand, ShortName } from "../base/fields.ts";

/** How services are started: for development, or as in production. */
export const serviceEnvs = ["dev", "prod"] as const;
export type ServiceEnv = (typeof serviceEnvs)[number];

const Commands = z.strictObject({
  dev: ShellCommand.optional().describe("Command in the development environment"),
  prod: ShellCommand.optional().describe("Command in the production-like environment"),
});

/** A program that must be up while criteria and user interface tests run (specs 004 2.3). */
const Service = z.strictObject({
  build: ShellCommand.optional().describe("Command that must succeed before the service starts"),
  start: Commands.optional().describe("How to start it; {port} stands for the port"),
  serve: Commands.optional().describe("Synonym of start, usual for front ends"),
  port: between(1, 65_535).describe("Port it listens on; each service has its own"),
  health: z
    .array(rooted('must be a path that starts with "/"'))
    .default([])
    .describe("Paths that answer with success once the service is up"),
  timeout: durationSchema({ min: 1, max: longestSeconds })
    .prefault(30)
    .describe("Time limit for starting, in seconds"),
});

export const Services = z.record(ShortName, Service);
export type Services = z.output<typeof Services>;
