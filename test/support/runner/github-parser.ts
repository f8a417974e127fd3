import type { TemplateToken } from "@actions/workflow-parser/templates/tokens/template-token";
import "./json-hook.ts";
import { type Fields, fieldsOf } from "./tokens.ts";

// Only what is imported after the hook is in place can be loaded.
const { NoOperationTraceWriter, parseWorkflow, convertWorkflowTemplate } = await import(
  "@actions/workflow-parser"
);
const { convertActionTemplate, parseAction } = await import(
  "@actions/workflow-parser/actions/index"
);

interface Source {
  name: string;
  content: string;
}

/** The token tree of a workflow that GitHub's own parser finds no fault with. */
export async function readWorkflow(source: Source): Promise<Fields> {
  const { context, value } = parseWorkflow(source, new NoOperationTraceWriter());
  if (value !== undefined) await convertWorkflowTemplate(context, value);
  return accept(source.name, value, context.errors.getErrors());
}

/** The token tree of an `action.yml`, under the same condition. */
export function readAction(source: Source): Fields {
  const { context, value } = parseAction(source, new NoOperationTraceWriter());
  if (value !== undefined) convertActionTemplate(context, value);
  return accept(source.name, value, context.errors.getErrors());
}

function accept(name: string, value: TemplateToken | undefined, errors: { message: string }[]) {
  if (value !== undefined && errors.length === 0) return fieldsOf(value);
  throw new Error(`${name} is refused: ${errors.map(({ message }) => message).join("; ")}`);
}
