/**
 * Shell scripts by role, or one for every role. They may use `$prompt`, `$token`, `$task`, `$role`, `$attempt`
 * and the functions `work` (change a file as the role should), `claim [TOKEN]` (the role's signal),
 * `signal NAME [TOKEN]` and `honest` (both).
 */
export type AgentScripts = string | Partial<Record<Role, string>>;
type Role = "implementation" | "test_writing" | "review" | "planning" | "fix";

const prelude = `#!/bin/sh
prompt=$(cat)
token=
newline='
'
set -f
IFS=$newline
for line in $prompt; do
  case $line in ralph-*[!0-9a-f-]*) ;; ralph-????????-??????-?*) token=$line ;; esac
done
unset IFS
set +f
task=$RALPH_TASK_ID role=$RALPH_ROLE attempt=$RALPH_ATTEMPT
signal() {
  printf '<%s session="%s">\\n## Changes\\n- %s of %s\\n</%s>\\n' "$1" "\${2-$token}" "$role" "$task" "$1"
}
work() {
  case $role in
  implementation) [ -d src ] || mkdir -p src && echo "attempt $attempt" >>"src/$task.txt" ;;
  test_writing) [ -d tests ] || mkdir -p tests && echo "attempt $attempt" >>"tests/$task.test.txt" ;;
  esac
}
claim() {
  case $role in
  implementation) signal task-done "$@" ;;
  test_writing) signal tests-done "$@" ;;
  review) signal review-approved "$@" ;;
  planning) signal plan "$@" ;;
  fix) signal fix-done "$@" ;;
  esac
}
honest() { work; claim; }
`;

/** A stand-in for an agent program: a shell script of a few milliseconds, the prompt on stdin. */
export function renderAgent(scripts: AgentScripts): string {
  if (typeof scripts === "string") return `${prelude}${scripts}\n`;
  const cases = Object.entries(scripts).map(([role, script]) => `${role})\n${script}\n;;`);
  return `${prelude}case $role in\n${cases.join("\n")}\n*) honest ;;\nesac\n`;
}
