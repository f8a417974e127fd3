type Data = Readonly<Record<string, unknown>>;

/**
 * A run's note of the version that kept `command`, `item`, `issue`, `among` and `wish` side by side, in today's shape;
 * other data is passed on as it is. Nothing is checked here: the schema does that afterwards. Pure.
 */
export function upgradeRun(data: unknown): unknown {
  if (!isData(data) || data.request !== undefined) return data;
  const { command, item, issue, among, asker: _, wish, ...run } = data;
  // A run that does not say what it began with is never started again: nobody is behind it.
  const { trigger = "label", sender: actor, text: textDigest } = isData(wish) ? wish : {};
  const alternativeIssue = among === true ? issue : undefined;
  const overridesRejection = trigger === "start-command" || trigger === "dashboard";
  const asked = { command, item, issue, alternativeIssue, textDigest };
  return { ...run, request: { ...asked, overridesRejection, trigger, actor } };
}

const isData = (value: unknown): value is Data => typeof value === "object" && value !== null;
