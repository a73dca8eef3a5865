/** Errors of requests beside the typed client. */

type Answer = { status: number; text: string }

/** With a message for the person, and what else the server's response says. */
export class Refusal extends Error {
  readonly reason: string | undefined
  readonly requestId: string | undefined

  constructor(message: string, { reason, requestId }: { reason?: string; requestId?: string } = {}) {
    super(message)
    this.reason = reason
    this.requestId = requestId
  }
}

/** The error in a response, or the lack of one; `what` failed. */
export function refusalOf(outcome: Answer | Error, what: string): Refusal {
  if (outcome instanceof Error)
    return new Refusal(`${what}: the server did not respond. Check your connection.`)
  const { message, reason, request_id } = fieldsOf(outcome.text)
  return new Refusal(`${what}: ${message ?? `status ${outcome.status}`}`, {
    ...(reason !== undefined && { reason }),
    ...(request_id !== undefined && { requestId: request_id }),
  })
}

type Fields = { message?: string; reason?: string; request_id?: string }

function fieldsOf(text: string): Fields {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
