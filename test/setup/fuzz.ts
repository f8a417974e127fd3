import fc from "fast-check";

// How often a property is tried. Few by default: a contributor waits for it. CI sets FC_RUNS to many.
fc.configureGlobal({ numRuns: Number(process.env.FC_RUNS ?? 25) });
