// Requests to our own server. A refusal is thrown with its message, to be said in the reader's language.

export class Refusal extends Error {
  /** @param {Message} message @param {number} status */
  constructor(message, status) {
    super(message.key);
    this.said = message;
    this.status = status;
  }
}

/** @param {string} path @param {unknown} [body] posted when there is one @param {string} [method] @returns {Promise<any>} */
export async function request(path, body, method = "GET") {
  let answer;
  try {
    answer = await fetch(
      path,
      body === undefined
        ? { method }
        : {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify(body),
          },
    );
  } catch {
    throw new Refusal({ key: "no_connection", values: {}, game: "" }, 0);
  }
  const found = await answer.json().catch(() => null);
  if (answer.ok) return found;
  throw new Refusal(found?.error ?? { key: "not_found", values: {}, game: "" }, answer.status);
}

/** The message of anything that was caught. @param {unknown} error @returns {Message} */
export const reasonOf = (error) =>
  error instanceof Refusal ? error.said : { key: "went_wrong", values: {}, game: "" };
