import fc from "fast-check";

// How often a property is tried. Few by default: a contributor waits for it. CI sets FC_RUNS to many.
const { FC_RUNS, TORTURE } = process.env;
fc.configureGlobal({ numRuns: Number(FC_RUNS ?? (TORTURE ? 500 : 25)) });
