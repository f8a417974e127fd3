const pages = /^\/(?:queue|today|runs(?:\/[\w-]{1,100})?)?$/;

/** Where somebody wants to be after signing in: a page of ours, whatever a link says. */
export const wantedPath = (given: string | null): string =>
  given !== null && pages.test(given) ? given : "/";
