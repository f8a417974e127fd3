/** Where GitHub sends people back to. */
export const callbackPath = "/login/callback";

/** Where GitHub sends its events; Probot's usual path. */
export const webhookPath = "/api/github/webhooks";
