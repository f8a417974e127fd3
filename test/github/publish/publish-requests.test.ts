import { expect } from "vitest";
import { thorough } from "../../setup/sampled.ts";
import { task } from "../../support/builders/session.ts";
import { createPublishedProject } from "../../support/github/published-project.ts";
import { createPublisher } from "../../support/github/publishing-session.ts";

const tasks = Array.from({ length: 10 }, (_, at) => task(`T-${String(at + 1).padStart(3, "0")}`));

thorough(
  "a session of ten tasks takes at most 25 requests from the push to the end, also when no CI starts",
  async () => {
    await using origin = await createPublishedProject({ tasks });
    expect(origin.committed).toHaveLength(10);
    const publisher = createPublisher(origin.copy("ten"));
    const { fake } = publisher;
    // With a workflow that does not start, the publisher looks for it as long as it ever does.
    fake.state.workflows.push({ path: ".github/workflows/ci.yml", name: "ci", state: "active" });
    expect(await publisher.publish()).toMatchObject({ pull: { draft: false } });
    const shown = fake.seen.map(({ method, path }) => `${method} ${path}`).join("\n");
    expect(fake.seen.length, shown).toBeLessThanOrEqual(25);
    expect(fake.violations).toEqual([]);
    const before = fake.seen.length;
    await publisher.publish();
    expect(fake.seen.length - before).toBeLessThanOrEqual(25);
  },
);
