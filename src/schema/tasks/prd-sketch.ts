import * as z from "zod";

const texts = z.array(z.string().catch("")).catch([]);

const SubtaskSketch = z
  .object({ id: z.string().optional().catch(undefined), passes: z.unknown().optional() })
  .catch({ id: undefined, passes: undefined });

const blank = {
  id: undefined,
  priority: undefined,
  passes: undefined,
  dependsOn: [],
  subtasks: [],
};

const TaskSketch = z
  .object({
    id: z.string().optional().catch(undefined),
    priority: z.number().optional().catch(undefined),
    passes: z.unknown().optional(),
    dependsOn: texts,
    subtasks: z.array(SubtaskSketch).catch([]),
  })
  .catch(blank);
export type TaskSketch = z.infer<typeof TaskSketch>;

/** The input of the rules between tasks. Parsing never fails, so one wrong field does not hide problems elsewhere. */
export const PrdSketch = z
  .object({
    branchName: z.string().optional().catch(undefined),
    tasks: z.array(TaskSketch).optional().catch(undefined),
  })
  .catch({ branchName: undefined, tasks: undefined });
export type PrdSketch = z.infer<typeof PrdSketch>;
