interface Variable {
  name: string;
  /** What counts without it; undefined: it must be set. */
  usual: string | undefined;
  meaning: string;
}

/** Everything the App is told by its environment, in the order of the README's table. */
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
      "What GitHub signs deliveries with: 32 random characters. One that can be guessed is refused.",
  },
  {
    name: "PUBLIC_URL",
    usual: "",
    meaning:
      "Where people and GitHub reach the App, such as `https://ralph.example.org`; it stands in claims, too.",
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
    meaning: "Folder of the embedded database, and of what is being published.",
  },
  {
    name: "RALPH_APP_ENV",
    usual: "$RALPH_DATA_DIR/app.env",
    meaning: "File with these settings as `NAME=value` lines. A variable that is set counts more.",
  },
  {
    name: "DATABASE_URL",
    usual: "embedded",
    meaning: "`postgres://…`: keeps everything there, so that several replicas can share the work.",
  },
  {
    name: "GITHUB_CLIENT_ID",
    usual: "",
    meaning:
      "With GITHUB_CLIENT_SECRET: people log in with GitHub and see the pages. Without both there are none.",
  },
  { name: "GITHUB_CLIENT_SECRET", usual: "", meaning: "Belongs to GITHUB_CLIENT_ID." },
  {
    name: "RALPH_BOTS",
    usual: "",
    meaning: "Ids of bot accounts whose labels and pushes count, with commas between them.",
  },
  {
    name: "METRICS_TOKEN",
    usual: "",
    meaning:
      "Whoever sends it as a bearer token may read `/metrics`; without one only this machine may.",
  },
  {
    name: "STOP_SECONDS",
    usual: "25",
    meaning:
      "How long what is being done may take to end after SIGTERM; what is cut short is done again.",
  },
  { name: "GHE_HOST", usual: "github.com", meaning: "Your GitHub Enterprise server." },
  { name: "GHE_PROTOCOL", usual: "https", meaning: "Anything else is for tests on one machine." },
  {
    name: "GH_ORG",
    usual: "",
    meaning:
      "For `npm run app -- setup`: the organization that is to own the App. Default is your own account.",
  },
];
