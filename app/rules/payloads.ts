import * as z from "zod";
import { Actor } from "../../src/schema/work-request.ts";

/** The parts of GitHub's payloads that the rules need; everything else is dropped unread (T34). */
const Repository = z.object({
  id: z.int(),
  full_name: z.string().regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/),
  default_branch: z.string().min(1).max(255).optional(),
});

/** The fields of every delivery that a rule handles. */
export const Delivered = z.object({
  repository: Repository,
  installation: z.object({ id: z.int() }),
  sender: Actor.nullish(),
});
export type Delivered = z.infer<typeof Delivered>;

const Issue = z.object({
  number: z.int().positive(),
  state: z.enum(["open", "closed"]),
  locked: z.boolean().optional(),
  pull_request: z.unknown().optional(),
  user: Actor.nullish(),
  updated_at: z.string().max(40),
  /** Only the digest of title and body is stored. */
  title: z.string().max(10_000).optional(),
  body: z.string().nullish(),
});

export const Labeled = Delivered.extend({
  action: z.literal("labeled"),
  issue: Issue,
  label: z.object({ name: z.string().max(200) }),
});

export const Commented = Delivered.extend({
  action: z.literal("created"),
  issue: Issue,
  comment: z.object({
    id: z.int(),
    body: z.string().max(70_000),
    user: Actor.nullish(),
  }),
});

export const Edited = Delivered.extend({
  action: z.literal("edited"),
  issue: Issue,
  changes: z.object({ body: z.object({ from: z.string().nullish() }).optional() }).optional(),
});

export const Pushed = Delivered.extend({
  ref: z.string().max(500),
  deleted: z.boolean().optional(),
  after: z.string().regex(/^[0-9a-f]{40,64}$/),
  commits: z
    .array(z.object({ added: z.array(z.string()), modified: z.array(z.string()) }))
    .max(3000)
    .default([]),
});

export const WorkflowRun = Delivered.extend({
  action: z.enum(["requested", "in_progress", "completed"]),
  workflow_run: z.object({
    id: z.int(),
    run_attempt: z.int().default(1),
    path: z.string().max(500).default(""),
    event: z.string().max(100),
    head_branch: z.string().max(255).nullable(),
    display_title: z.string().max(1000).default(""),
    conclusion: z.string().max(40).nullish(),
    actor: Actor.nullish(),
    triggering_actor: Actor.nullish(),
  }),
});

export const PullClosed = Delivered.extend({
  action: z.literal("closed"),
  pull_request: z.object({
    number: z.int().positive(),
    merged: z.boolean(),
    user: Actor.nullish(),
    updated_at: z.string().max(40),
  }),
});

export const PullPushed = Delivered.extend({
  action: z.literal("synchronize"),
  after: z.string(),
  pull_request: z.object({
    number: z.int().positive(),
    user: Actor.nullish(),
  }),
});

const Installed = z.object({ full_name: Repository.shape.full_name, id: z.int() });

/** An installation, or repositories added to or removed from one. */
export const Installation = z.object({
  action: z.string().max(40).default(""),
  installation: z.object({ id: z.int(), updated_at: z.union([z.string(), z.int()]).optional() }),
  repositories: z.array(Installed).optional(),
  repositories_added: z.array(Installed).optional(),
  repositories_removed: z.array(Installed).optional(),
});

/** A repository that was renamed, transferred, archived, deleted, or made private or public. */
export const RepositoryChanged = Delivered.extend({
  action: z.string().max(40),
  repository: Repository.extend({ updated_at: z.string().max(40).optional() }),
});
