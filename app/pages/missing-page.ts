import { renderNotice } from "./frame/frame.ts";

/** For a path that no page has, with a way back. */
export const missingPage = renderNotice({
  ...{ status: 404, title: "There is no such page" },
  message: "The address may be incomplete, or the page was removed.",
  link: { to: "/", label: "All runs" },
});
