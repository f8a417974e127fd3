import type { UpdateRule } from "../../../src/github/branches/branch-protection.ts";
/** Everything the fake GitHub remembers of one repository; plain data, so that it can be copied. */
export interface FakeState {
  pulls: FakePull[];
  comments: FakeComment[];
  reactions: { comment: number; content: string }[];
  labels: { name: string; color: string; description: string }[];
  /** Labels and people that were added to pull requests. */
  addressed: { number: number; what: string; names: string[] }[];
  checkRuns: FakeCheckRun[];
  suites: {
    head_sha: string;
    app: { slug: string; name: string };
    latest_check_runs_count: number;
  }[];
  workflowRuns: {
    id: number;
    name: string;
    head_sha: string;
    status: string;
    conclusion: string | null;
  }[];
  workflows: { path: string; name: string; state: string }[];
  /** What collaborators may do, by login; `role_name` is that of a custom role too. */
  permissions: Record<
    string,
    { permission: string; role_name: string; user?: { type: string; id?: number } }
  >;
  /** Types of the active rules, for every branch. */
  rules: string[];
  /** The branch protection rule of every branch, as GraphQL shows it. */
  protection?: UpdateRule;
  /** Without a bare repository: what the Git data API has made. */
  git: {
    trees: Record<string, true>;
    commits: Record<string, FakeCommit>;
    refs: Record<string, string>;
  };
}

export interface FakeCommit {
  message: string;
  tree: string;
  parents: readonly string[];
}

export interface FakeAccount {
  login: string;
  type: "User" | "Bot";
}

export interface FakePull {
  number: number;
  node_id: string;
  html_url: string;
  state: "open" | "closed";
  draft: boolean;
  title: string;
  body: string | null;
  user: FakeAccount;
  head: { ref: string; sha: string; repo: { full_name: string } | null };
  base: { ref: string; sha: string; repo: { full_name: string } };
  created_at: string;
  merged_at: string | null;
}

export interface FakeComment {
  id: number;
  issue: number;
  html_url: string;
  body: string;
  user: FakeAccount;
}

export interface FakeCheckRun {
  id: number;
  html_url: string;
  external_id: string;
  name: string;
  head_sha: string;
  status: string;
  conclusion: string | null;
  output: { title: string | null; summary: string | null; annotations_count: number };
  annotations: unknown[];
}

export const emptyState = (): FakeState => ({
  pulls: [],
  comments: [],
  reactions: [],
  labels: [],
  addressed: [],
  checkRuns: [],
  suites: [],
  workflowRuns: [],
  workflows: [],
  permissions: {},
  rules: [],
  git: { trees: {}, commits: {}, refs: {} },
});

/** How the fake is set up; what is left out is as in a repository where all goes well. */
export interface FakeSettings {
  repository?: string;
  viewer?: FakeAccount;
  hasDrafts?: boolean;
  mayOpenPulls?: boolean;
  signsCommits?: boolean;
  /** Folder of a bare repository, for the Git data API. */
  bare?: string;
  /** How often the branch of a new pull request is not known yet. */
  unknownBranch?: number;
  now?: () => number;
}
