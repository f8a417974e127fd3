interface Variable {
  name: string;
  /** The default; undefined for a required variable. */
  usual: string | undefined;
  meaning: string;
}

/** The App's environment variables, in the order of the README's table. */
export const variables: readonly Variable[] = [
  { name: "APP_ID", usual: undefined, meaning: "Number of the App on GitHub." },
  {
    name: "PRIVATE_KEY",
    usual: undefined,
    meaning: "The App's private key: PEM, with line breaks as `\\n`, or in base64.",
  },
  {
    name: "PRIVATE_KEY_PATH",
    usual: "",
    meaning: "Instead of PRIVATE_KEY: a file with the key that others cannot read.",
  },
  {
    name: "WEBHOOK_SECRET",
    usual: undefined,
    meaning:
      "The secret with which GitHub signs deliveries: 32 random characters. Weak ones are refused.",
  },
  {
    name: "PUBLIC_URL",
    usual: "",
    meaning:
      "The address at which people and GitHub reach the App, such as `https://ralph.example.org`; claims name it, too.",
  },
  {
    name: "HOST",
    usual: "127.0.0.1",
    meaning: "Address to listen on; the container listens on `0.0.0.0`.",
  },
  { name: "PORT", usual: "3000", meaning: "Port to listen on." },
  {
    name: "RALPH_DATA_DIR",
    usual: "$XDG_STATE_HOME/ralph-app",
    meaning: "Folder of the embedded database and of temporary files.",
  },
  {
    name: "RALPH_APP_ENV",
    usual: "$RALPH_DATA_DIR/app.env",
    meaning: "File with these settings as `NAME=value` lines. Set variables take precedence.",
  },
  {
    name: "DATABASE_URL",
    usual: "embedded",
    meaning: "`postgres://…`: stores all data there, so that several replicas can share the work.",
  },
  {
    name: "GITHUB_CLIENT_ID",
    usual: "",
    meaning:
      "With GITHUB_CLIENT_SECRET: people sign in with GitHub to see the pages. Without both there are no pages.",
  },
  { name: "GITHUB_CLIENT_SECRET", usual: "", meaning: "Belongs to GITHUB_CLIENT_ID." },
  {
    name: "RALPH_BOTS",
    usual: "",
    meaning: "Ids of bot accounts whose labels and pushes count, separated by commas.",
  },
  {
    name: "METRICS_TOKEN",
    usual: "",
    meaning: "The bearer token for `/metrics`; without a token only this machine may read it.",
  },
  {
    name: "STOP_SECONDS",
    usual: "25",
    meaning: "How long running jobs may take to end after SIGTERM; interrupted jobs are repeated.",
  },
  {
    name: "NOTIFY_URL",
    usual: "",
    meaning:
      "Address that gets a message as JSON (`text`, `event` and its fields) when a run ends or a job fails permanently; chat services accept it as it is.",
  },
  {
    name: "SLOTS",
    usual: "4",
    meaning: "How many jobs run at the same time.",
  },
  {
    name: "PUBLICATIONS",
    usual: "2",
    meaning:
      "How many publications run besides; each may need a gigabyte of memory, and nothing else waits for one.",
  },
  { name: "GHE_HOST", usual: "github.com", meaning: "Your GitHub Enterprise server." },
  { name: "GHE_PROTOCOL", usual: "https", meaning: "Other values are for tests on one machine." },
  {
    name: "GH_ORG",
    usual: "",
    meaning:
      "For `npm run app -- setup`: the organization that will own the App. The default is your own account.",
  },
];
