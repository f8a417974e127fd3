import { generateKeyPairSync } from "node:crypto";

/** The App's key in every test of a process: to make one takes longer than most tests of the App. */
export const appKey = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** As GitHub hands it out. */
export const appPem = appKey.privateKey.export({ type: "pkcs1", format: "pem" }).toString();
