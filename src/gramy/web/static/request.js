// Requests to our own server. An error answer is thrown as a RequestError with the server's message.

export class RequestError extends Error {
  /**
   * @param {Message} reason
   * @param {number} status
   */
  constructor(reason, status) {
    super(reason.key);
    this.reason = reason;
    this.status = status;
  }
}

/**
 * Send a request and return the decoded answer. A request with a body is a POST.
 * @param {string} path
 * @param {unknown} [body]
 * @param {string} [method] of a request without a body
 * @returns {Promise<any>}
 */
export async function request(path, body, method = "GET") {
  const options =
    body === undefined
      ? { method }
      : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new RequestError({ key: "no_connection", values: {}, game: "" }, 0);
  }
  const found = await answer.json().catch(() => null);
  if (answer.ok) return found;
  throw new RequestError(found?.error ?? { key: "not_found", values: {}, game: "" }, answer.status);
}

/**
 * Return the message of anything that was caught.
 * @param {unknown} error
 * @returns {Message}
 */
export const reasonOf = (error) =>
  error instanceof RequestError ? error.reason : { key: "went_wrong", values: {}, game: "" };
