import * as z from "zod";

/** A host name, `*.` and a name for all names below it, or an address; with `:port`, else ports 80 and 443. */
export const hostPattern =
  /^(?<host>(?:\*\.)?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]+\])(?::(?<port>\d{1,5}))?$/;

/** The same without names of its groups, which not every program with JSON schemas reads. */
const unnamed = new RegExp(hostPattern.source.replaceAll(/\?<\w+>/g, "?:"));

export const HostEntry = z
  .string()
  .regex(
    unnamed,
    "must be a host without a scheme: a name, *.name or an address, such as docs.example.com or [::1]:8080",
  );
