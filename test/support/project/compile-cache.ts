import { tmpdir } from "node:os";
import { join } from "node:path";

/** For programs that are started again and again: Node keeps what it has compiled, and starts in two thirds of the time. */
export const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), "ralph-compiled") };
