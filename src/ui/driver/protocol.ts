/** A request to the browser driver: one line of JSON with an id. Times in milliseconds. */
export type DriverRequest =
  /** The first request: starts the browser. */
  | { do: "start"; executable: string; isSandboxed: boolean }
  /** A page with cookies and storage of its own, in place of the one before. */
  | { do: "page" }
  | { do: "open"; url: string; timeoutMs: number }
  | { do: "act"; action: DriverAction; element: DriverElement | undefined; timeoutMs: number }
  | { do: "look"; timeoutMs: number }
  | { do: "picture"; timeoutMs: number }
  | { do: "close" };

export type DriverAction =
  | { verb: "click" }
  | { verb: "fill"; text: string }
  | { verb: "select"; option: string }
  | { verb: "press"; key: string };

/** `css`: a selector; `text`: the exact text of an element without a role of its own. */
export type DriverElement = {
  by: "role" | "text" | "css";
  role: string;
  name: string;
  nth: number;
};

/** A line of the page's console, or what the page tried and the driver refused. */
export type ConsoleEntry = { type: "error" | "warning" | "log" | "refused"; text: string };

export type PageLook = {
  url: string;
  title: string;
  text: string;
  snapshot: string;
  console: ConsoleEntry[];
  /** All entries, also those that are not kept. */
  consoleTotal: number;
};

/** A failure is a result: it carries the browser's own words. */
export type DriverAnswer =
  | {
      id: number;
      ok: true;
      status?: number;
      look?: PageLook;
      picture?: string;
      type?: "png" | "jpeg";
    }
  | { id: number; ok: false; message: string };
