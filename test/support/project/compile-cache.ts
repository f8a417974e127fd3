/** For programs that are started again and again: Node keeps what it has compiled, and starts in two thirds of the time. */
export const compileCache = {
  NODE_COMPILE_CACHE: new URL("../../../node_modules/.cache/compiled", import.meta.url).pathname,
};
