type Data = Readonly<Record<string, unknown>>;

/**
 * Job data of the version that kept `{ place, wanted: { kind, asker, … } }`, in today's shape; other data is passed on as
 * it is. Nothing is checked here: the schema does that afterwards. Pure.
 */
export function upgradeJobData(kind: string, data: unknown): unknown {
  if (!isData(data) || !isData(data.wanted)) return data;
  const { place, wanted } = data;
  const { asker, text, ...details } = wanted;
  const { sender, commentId } = isData(asker) ? asker : {};
  if (kind === "start" || kind === "report") {
    return { place, label: details.label, request: requestOf(kind, { ...wanted, actor: sender }) };
  }
  return { ...details, place, actor: sender, comment: commentId, textDigest: text };
}

const isData = (value: unknown): value is Data => typeof value === "object" && value !== null;

function requestOf(kind: "start" | "report", { actor, ...old }: Data): unknown {
  if (kind === "report") {
    const request = { command: "autopilot", item: "reports", trigger: "report-push" };
    return { ...request, overridesRejection: false, actor };
  }
  const { command, item, issue, among, text: textDigest, label } = old;
  const trigger = command === "autopilot" ? "autopilot-label" : "label";
  return {
    ...{ command, item, issue, alternativeIssue: among === true ? issue : undefined, textDigest },
    trigger: label === undefined ? "start-command" : trigger,
    overridesRejection: label === undefined,
    actor,
  };
}
