import type { FakeAccount, FakeComment, FakePull, FakeState } from "./fake-state.ts";
import { pageOf } from "./page.ts";
import type { Reply } from "./server.ts";

/** One request as a route sees it; whatever it changes in `state` has happened. */
export interface Call {
  state: FakeState;
  now: number;
  repository: string;
  viewer: FakeAccount;
  hasDrafts: boolean;
  mayOpenPulls: boolean;
  /** Whether commits a bot makes are signed. */
  signsCommits: boolean;
  /** The bare repository behind the Git data API. */
  bare: string | undefined;
  /** Answers true as long as branches are not known yet. */
  isUnknownBranch: () => boolean;
  /** With its query. */
  path: string;
  /** What stands in the place of `*` in the route. */
  parts: readonly string[];
  query: URLSearchParams;
  body: Readonly<Record<string, unknown>>;
}

type Route = (call: Call) => Reply;

/** Longest texts GitHub takes. */
const limits = { body: 65_536, title: 256, annotations: 50, summary: 65_535 };

export const fakeRoutes: Record<string, Route> = {
  "GET /repos/*/pulls": listPulls,
  "POST /repos/*/pulls": createPull,
  "GET /repos/*/pulls/*": (call) => found(pullOf(call)),
  "PATCH /repos/*/pulls/*": changePull,
  "POST /repos/*/issues/*/labels": addressPull("labels"),
  "POST /repos/*/issues/*/assignees": addressPull("assignees"),
  "POST /repos/*/pulls/*/requested_reviewers": addressPull("reviewers"),
  "POST /graphql": answerQuery,
  "GET /repos/*/issues/*/comments": (call) =>
    page(
      call,
      call.state.comments.filter(({ issue }) => issue === Number(call.parts[1])).map(shown),
    ),
  "POST /repos/*/issues/*/comments": createComment,
  "GET /repos/*/issues/comments/*": ({ state, parts }) =>
    found(state.comments.filter(({ id }) => id === Number(parts[1])).map(shown)[0]),
  "PATCH /repos/*/issues/comments/*": changeComment,
  "POST /repos/*/issues/comments/*/reactions": ({ state, parts, body }) => {
    const reaction = { comment: Number(parts[1]), content: String(body.content) };
    state.reactions.push(reaction);
    return { status: 201, body: { id: 1, content: reaction.content } };
  },
  "POST /repos/*/labels": ({ state, body }) => {
    const label = body as FakeState["labels"][number];
    if (state.labels.some(({ name }) => name === label.name)) {
      return invalid({ resource: "Label", field: "name", code: "already_exists" });
    }
    state.labels.push(label);
    return { status: 201, body: label };
  },
  "GET /repos/*/commits/*/check-runs": listCheckRuns,
  "POST /repos/*/check-runs": createCheckRun,
  "PATCH /repos/*/check-runs/*": changeCheckRun,
  "GET /repos/*/commits/*/check-suites": (call) =>
    wrapped(call, "check_suites", call.state.suites.filter(isOfHead(call.parts[1]))),
  "GET /repos/*/actions/runs": (call) =>
    wrapped(
      call,
      "workflow_runs",
      call.state.workflowRuns.filter(isOfHead(call.query.get("head_sha"))),
    ),
  "GET /repos/*/rules/branches/**": (call) =>
    page(
      call,
      call.state.rules.map((type) => ({ type, ruleset_id: 1, ruleset_source_type: "Repository" })),
    ),
  "GET /repos/*/collaborators/*/permission": ({ state, parts }) =>
    found(state.permissions[parts[1] ?? ""]),
  "GET /repos/*/actions/workflows": (call) => wrapped(call, "workflows", call.state.workflows),
};

function addressPull(what: "labels" | "assignees" | "reviewers"): Route {
  return (call) => {
    const pull = pullOf(call);
    if (!pull) return refused(404, "Not Found");
    const { team_reviewers: teams = [] } = call.body as { team_reviewers?: string[] };
    const names = [...((call.body[what] as string[] | undefined) ?? []), ...teams];
    call.state.addressed.push({ number: pull.number, what, names });
    return what === "labels"
      ? { body: names.map((name) => ({ name })) }
      : { status: 201, body: pull };
  };
}

const isOfHead =
  (sha: string | null | undefined) =>
  ({ head_sha }: { head_sha: string }) =>
    head_sha === sha;

const found = (body: unknown): Reply => (body ? { body } : refused(404, "Not Found"));

export const refused = (status: number, message: string, errors?: unknown[]): Reply => ({
  status,
  body: { message, documentation_url: "https://docs.github.com/rest", ...(errors && { errors }) },
});

const invalid = (...errors: Record<string, string>[]) => refused(422, "Validation Failed", errors);

const page = (call: Call, all: readonly unknown[]): Reply => {
  const { items, headers } = pageOf(call.path, all);
  return { headers, body: items };
};
const wrapped = (call: Call, name: string, all: readonly unknown[]): Reply => {
  const { items, headers } = pageOf(call.path, all);
  return { headers, body: { total_count: all.length, [name]: items } };
};

const pullOf = ({ state, parts }: Call) =>
  state.pulls.find(({ number }) => number === Number(parts[1]));

function listPulls(call: Call): Reply {
  const { state, query } = call;
  const wanted = query.get("state") ?? "open";
  const head = query.get("head");
  const all = state.pulls.filter(
    (pull) =>
      (wanted === "all" || pull.state === wanted) &&
      (!head || `${pull.head.repo?.full_name.split("/")[0]}:${pull.head.ref}` === head),
  );
  const direction = query.get("direction") === "desc" ? -1 : 1;
  return page(
    call,
    all.toSorted((a, b) => direction * a.created_at.localeCompare(b.created_at)),
  );
}

function createPull(call: Call): Reply {
  const { state, repository, viewer, body } = call;
  const { head = "", base = "", title = "", body: text = "", draft } = body;
  const owner = repository.split("/")[0];
  if (!call.mayOpenPulls) {
    return refused(403, "GitHub Actions is not permitted to create or approve pull requests.");
  }
  if (call.isUnknownBranch()) {
    return invalid({ resource: "PullRequest", field: "head", code: "invalid" });
  }
  if (draft && !call.hasDrafts) {
    return refused(422, "Draft pull requests are not supported in this repository.");
  }
  const tooLong = checkLengths(body);
  if (tooLong) return tooLong;
  if (head === base) {
    const message = `No commits between ${base} and ${head}`;
    return invalid({ resource: "PullRequest", code: "custom", message });
  }
  if (state.pulls.some((pull) => pull.state === "open" && pull.head.ref === head)) {
    const message = `A pull request already exists for ${owner}:${head}.`;
    return invalid({ resource: "PullRequest", code: "custom", message });
  }
  const number = 1 + state.pulls.length;
  const pull: FakePull = {
    number,
    node_id: `PR_${number}`,
    html_url: `https://github.com/${repository}/pull/${number}`,
    state: "open",
    draft: Boolean(draft),
    title: String(title),
    body: String(text),
    user: viewer,
    head: { ref: String(head), sha: "c".repeat(40), repo: { full_name: repository } },
    base: { ref: String(base), sha: "b".repeat(40), repo: { full_name: repository } },
    created_at: new Date(call.now).toISOString(),
    merged_at: null,
  };
  state.pulls.push(pull);
  return { status: 201, body: pull };
}

function checkLengths({ title = "", body = "" }: Call["body"]): Reply | undefined {
  if (String(title).length > limits.title) return invalid({ field: "title", code: "too_long" });
  if (String(body).length > limits.body) return invalid({ field: "body", code: "too_long" });
  return undefined;
}

function changePull(call: Call): Reply {
  const pull = pullOf(call);
  const tooLong = checkLengths(call.body);
  if (tooLong) return tooLong;
  return found(pull && Object.assign(pull, call.body));
}

function answerQuery({ state, body, viewer }: Call): Reply {
  const { query, variables } = body as { query: string; variables?: { id?: string } };
  if (!query.startsWith("mutation")) {
    const isAsked = query.includes("refUpdateRule");
    const repository = { ref: { refUpdateRule: state.protection ?? null } };
    return { body: { data: { viewer: { login: viewer.login }, ...(isAsked && { repository }) } } };
  }
  const pull = state.pulls.find(({ node_id }) => node_id === variables?.id);
  if (!pull?.draft) {
    const message = "Pull request is not in draft state";
    return { body: { data: null, errors: [{ type: "UNPROCESSABLE", message }] } };
  }
  pull.draft = false;
  const answer = { pullRequest: { isDraft: false } };
  return { body: { data: { markPullRequestReadyForReview: answer } } };
}

function createComment(call: Call): Reply {
  const { state, parts, body, viewer, repository } = call;
  const tooLong = checkLengths(body);
  if (tooLong) return tooLong;
  const id = 1000 + state.comments.length;
  const issue = Number(parts[1]);
  const html_url = `https://github.com/${repository}/pull/${issue}#issuecomment-${id}`;
  const comment = { id, issue, html_url, body: String(body.body), user: viewer };
  state.comments.push(comment);
  return { status: 201, body: shown(comment) };
}

const shown = ({ issue: _, ...comment }: FakeComment) => comment;

function changeComment(call: Call): Reply {
  const comment = call.state.comments.find(({ id }) => id === Number(call.parts[1]));
  return checkLengths(call.body) ?? found(comment && shown(Object.assign(comment, call.body)));
}

function listCheckRuns(call: Call): Reply {
  const name = call.query.get("check_name");
  const runs = call.state.checkRuns.filter(isOfHead(call.parts[1]));
  return wrapped(
    call,
    "check_runs",
    runs.filter((run) => !name || run.name === name).map(({ annotations: _, ...run }) => run),
  );
}

type Output = { title?: string; summary?: string; annotations?: unknown[] };

function createCheckRun(call: Call): Reply {
  const { state, body, repository } = call;
  const id = 5000 + state.checkRuns.length;
  const { name, head_sha, external_id = "" } = body as Record<string, string>;
  state.checkRuns.push({
    id,
    html_url: `https://github.com/${repository}/runs/${id}`,
    external_id,
    name: name ?? "",
    head_sha: head_sha ?? "",
    status: "queued",
    conclusion: null,
    output: { title: null, summary: null, annotations_count: 0 },
    annotations: [],
  });
  const reply = changeCheckRun({ ...call, parts: ["", String(id)] });
  if (reply.status === 422) state.checkRuns.pop();
  return { status: 201, ...reply };
}

function changeCheckRun({ state, parts, body }: Call): Reply {
  const run = state.checkRuns.find(({ id }) => id === Number(parts[1]));
  if (!run) return refused(404, "Not Found");
  const {
    status,
    conclusion,
    output = {},
  } = body as {
    status?: string;
    conclusion?: string;
    output?: Output;
  };
  const { title, summary, annotations = [] } = output;
  if (annotations.length > limits.annotations) return invalid({ code: "too_many_annotations" });
  if ((summary ?? "").length > limits.summary) return invalid({ code: "summary_too_long" });
  run.status = status ?? run.status;
  run.conclusion = conclusion ?? run.conclusion;
  run.annotations.push(...annotations);
  run.output = {
    title: title ?? run.output.title,
    summary: summary ?? run.output.summary,
    annotations_count: run.annotations.length,
  };
  const { annotations: _, ...shown } = run;
  return { body: shown };
}
