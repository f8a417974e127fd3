/**
 * All of the providers' libraries that is used. Only ever imported when a question is asked: it is a file of its own in
 * `dist`, so that no other command reads a line of it.
 */
export { createAnthropic } from "@ai-sdk/anthropic";
export { createOpenAI } from "@ai-sdk/openai";
export { generateText, jsonSchema, NoObjectGeneratedError, Output } from "ai";
