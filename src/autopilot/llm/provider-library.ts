/**
 * Everything used of the providers' libraries. Only imported dynamically, for a question: in `dist` it is a separate
 * file, which no other command loads.
 */
export { createAnthropic } from "@ai-sdk/anthropic";
export { createOpenAI } from "@ai-sdk/openai";
export { generateText, jsonSchema, NoObjectGeneratedError, Output } from "ai";
