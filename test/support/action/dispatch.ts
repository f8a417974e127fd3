import { parse } from "yaml";
import { refused } from "../github/fake-routes.ts";
import type { Reply, Seen } from "../github/server.ts";

type Trigger = { inputs?: Record<string, { required?: boolean; default?: unknown } | null> | null };

/** `POST …/actions/workflows/FILE/dispatches`, answered from the workflow file at the ref, as GitHub does. */
export function answerDispatch(
  { path, body }: Seen,
  readWorkflow: (file: string, ref: string) => string | undefined,
): Reply {
  const [, file = ""] = /\/actions\/workflows\/([^/]+)\/dispatches$/.exec(path) ?? [];
  const { ref = "", inputs = {} } = body as { ref?: string; inputs?: Record<string, string> };
  const text = readWorkflow(decodeURIComponent(file), ref);
  if (text === undefined) return refused(404, "Not Found");
  const trigger = triggerOf(parse(text));
  if (trigger === undefined) {
    return refused(422, "Workflow does not have 'workflow_dispatch' trigger");
  }
  const declared = trigger.inputs ?? {};
  const unknown = Object.keys(inputs).filter((name) => !(name in declared));
  if (unknown.length > 0)
    return refused(422, `Unexpected inputs provided: ${JSON.stringify(unknown)}`);
  const missing = Object.entries(declared).find(
    ([name, input]) => input?.required && input.default === undefined && !(name in inputs),
  );
  if (missing) return refused(422, `Required input '${missing[0]}' not provided`);
  return { status: 204 };
}

/** The `workflow_dispatch` of a workflow, which may also be written as a word or in a list. */
function triggerOf({ on }: { on?: unknown }): Trigger | undefined {
  const name = "workflow_dispatch";
  if (on === name || (Array.isArray(on) && on.includes(name))) return {};
  if (typeof on !== "object" || on === null || !(name in on)) return undefined;
  return ((on as Record<string, Trigger | null>)[name] ?? {}) as Trigger;
}
