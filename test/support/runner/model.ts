export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Texts = Record<string, string>;
export type Conclusion = "success" | "failure" | "cancelled" | "skipped";
export type Status = "success" | "failure" | "cancelled";
export type Permissions = Record<string, string>;

/** What a page of GitHub shows beside a line of a file, or above the log. */
export interface Annotation {
  level: "error" | "warning" | "notice";
  message: string;
  /** `file`, `line`, `col`, `endLine`, `endColumn`, `title`, as they were given. */
  properties: Texts;
}

export interface StepResult {
  /** Empty for a step without one. */
  id: string;
  name: string;
  /** What happened, and what it counts for after `continue-on-error`. */
  outcome: Conclusion;
  conclusion: Conclusion;
  outputs: Texts;
  /** The steps of a composite action. */
  steps: StepResult[];
}

export interface JobResult {
  /** As in the file; below a called workflow `caller / job`, with a matrix `job (a, b)`. */
  name: string;
  conclusion: Conclusion;
  outputs: Texts;
  permissions: Permissions;
  /** Label or labels of the machine, and the deployment environment; empty without one. */
  runsOn: Json;
  environment: Json;
  steps: StepResult[];
  annotations: Annotation[];
  /** What GitHub shows: commands carried out, secrets masked. */
  log: string[];
  /** Every line as it came out of the programs. */
  rawLog: string[];
  /** The job summary, masked. */
  summary: string;
  /** Command lines of processes that had outlived their step when the job ended. They are killed. */
  orphans: string[];
  workspace: string;
  temp: string;
}

export interface WorkflowResult {
  conclusion: Conclusion;
  /** Of every job of the file, by its id. */
  results: Record<string, Conclusion>;
  /** The jobs that ran, those of called workflows and of matrices one by one. */
  jobs: JobResult[];
  /** Folder with one folder for each artifact. */
  artifacts: string;
}

/** What an action outside the repository does in a test; answers its outputs, throws to fail. */
export type StandIn = (call: StandInCall) => Promise<Texts> | Texts;

export interface StandInCall {
  with: Texts;
  env: Texts;
  github: Record<string, Json>;
  place: JobPlace;
  host: Host;
  log(line: string): void;
  /** As a line in the file that `GITHUB_PATH` names. */
  addPath(folder: string): void;
}

/** The folders of one job; nothing of another job is in them. */
export interface JobPlace {
  workspace: string;
  temp: string;
  home: string;
  toolCache: string;
}

/** How long a runner waits for a step that was told to stop, and what a minute is. */
export interface Patience {
  interruptMs: number;
  terminateMs: number;
  /** For output that is still open when the entry process has ended. */
  drainMs: number;
  minuteMs: number;
}

export interface RunnerOptions {
  /** A git repository: what `actions/checkout` clones, and where called workflows are read. */
  repository: string;
  /** Further or other keys of the `github` context; `event` is the webhook's payload. */
  github?: Record<string, Json>;
  secrets?: Texts;
  vars?: Texts;
  /** Makes a job's token from its permissions. Default: every job has `github.token`. */
  issueToken?: ((permissions: Permissions) => string) | undefined;
  /** Inputs of `workflow_dispatch`. */
  inputs?: Record<string, Json>;
  /** Further variables of the runner itself, for every step. */
  env?: Texts;
  /** Other actions and workflows by name, without `@version`: a stand-in, or the folder or file that is run. */
  uses?: Record<string, StandIn | string>;
  patience?: Partial<Patience>;
  /** Called with every masked line as it comes. */
  onLine?: (line: string, job: string) => void;
}

/** What all jobs of one run share. */
export interface Host {
  repository: string;
  github: Record<string, Json>;
  issueToken: RunnerOptions["issueToken"];
  secrets: Texts;
  vars: Texts;
  env: Texts;
  uses: Record<string, StandIn | string>;
  patience: Patience;
  onLine: (line: string, job: string) => void;
  /** Holds the folders of all jobs. */
  folder: string;
  artifacts: string;
}
