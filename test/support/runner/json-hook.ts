import { registerHooks } from "node:module";

// GitHub's packages import their JSON without the attribute that Node asks for.
registerHooks({
  load: (url, context, next) =>
    url.includes("/@actions/") && url.endsWith(".json")
      ? next(url, { ...context, importAttributes: { type: "json" } })
      : next(url, context),
});
