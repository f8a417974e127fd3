/** The path to which GitHub returns people after signing in. */
export const callbackPath = "/login/callback";

/** The path to which GitHub sends its events, Probot's default. */
export const webhookPath = "/api/github/webhooks";
