/** The text in capitals, with an exclamation mark. */
export const shout = (text) => `${text.toUpperCase()}!`;
