import { dirname } from "node:path";
import type { StandIn } from "../model.ts";
import { downloadArtifact, uploadArtifact } from "./artifacts.ts";
import { checkout } from "./checkout.ts";

/** Puts the Node that runs the tests before everything else, whatever version is asked for. */
const setupNode: StandIn = ({ addPath }) => {
  addPath(dirname(process.execPath));
  return { "node-version": process.version };
};

/** What stands in for GitHub's own actions, unless a test brings its own. */
export const standIns: Record<string, StandIn> = {
  "actions/checkout": checkout,
  "actions/setup-node": setupNode,
  "actions/upload-artifact": uploadArtifact,
  "actions/download-artifact": downloadArtifact,
};
