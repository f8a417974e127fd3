type Places = { repository: string; artifacts: string };
type Input = { default: string };
type Action = {
  name: string;
  description: string;
  inputs: Record<string, Input>;
  runs: {
    using: "composite";
    steps: { shell: "bash"; env: Record<string, string>; run: string }[];
  };
};

/** GitHub's own actions, with the inputs that the workflows of this repository give them. */
export function actStandIns({ repository, artifacts }: Places): Record<string, Action> {
  return {
    "actions/checkout": createAction(
      { "fetch-depth": "1", ref: "", "persist-credentials": "true", lfs: "", submodules: "" },
      `git init -q -b main .
git remote add origin "file://${repository}"
git fetch -q origin '+refs/heads/*:refs/remotes/origin/*'
branch="\${REF#refs/heads/}"
git checkout -q -B "\${branch:-main}" "refs/remotes/origin/\${branch:-main}"`,
    ),
    "actions/upload-artifact": createAction(
      { name: "artifact", path: "", "if-no-files-found": "warn", overwrite: "false" },
      `mkdir -p "${artifacts}/$NAME"
if [ -d "$FROM" ]; then FROM="$FROM/."; fi
cp -r "$FROM" "${artifacts}/$NAME/"`,
    ),
    "actions/download-artifact": createAction(
      { pattern: "*", path: "." },
      `mkdir -p "$FROM"
for folder in "${artifacts}"/$PATTERN; do cp -r "$folder" "$FROM/"; done`,
    ),
    "actions/setup-node": createAction({ "node-version": "", "package-manager-cache": "" }, "true"),
    "actions/setup-python": createAction({ "python-version": "" }, "true"),
    "actions/create-github-app-token": createAction({}, "exit 1"),
  };
}

function createAction(inputs: Record<string, string>, run: string): Action {
  const declared = Object.entries(inputs).map(([name, value]) => [name, { default: value }]);
  const given = (name: string) => `\${{ inputs.${name} }}`;
  const env = {
    REF: given("ref"),
    NAME: given("name"),
    FROM: given("path"),
    PATTERN: given("pattern"),
  };
  return {
    name: "A stand-in",
    description: "Does on this machine what the workflows need.",
    inputs: Object.fromEntries(declared),
    runs: { using: "composite", steps: [{ shell: "bash", env, run }] },
  };
}
