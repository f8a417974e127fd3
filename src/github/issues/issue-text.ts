import { sha256 } from "../../schema/session-files/checksum.ts";

/** The text of an issue, from an event or the API. */
export interface IssueText {
  title: string;
  body?: string | null | undefined;
}

/** Digest of an issue's text; a later comparison shows whether it was edited after the request (T05). */
export const digestOfIssue = ({ title, body }: IssueText): string =>
  sha256(JSON.stringify([title, body ?? ""]));
