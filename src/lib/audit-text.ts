/** The text of a line of the audit trail, for people: what happened, behind who did it. */

/** A line of the log. Its message says what was done, without a subject. */
type Line = { kind: string; message: string; fields: Record<string, unknown> }

/** Types whose message is a sentence of its own, such as "example.com is verified". */
const whole: unknown[] = [
  'deployment.ready',
  'deployment.error',
  'domain.verified',
  'domain.unverified',
  'domain.certificate_issued',
  'domain.certificate_failed',
]

/**
 * The message with the person's name in front: `Ada promoted dpl_1 to production of web`. Without a name, for
 * what the platform did or a server of an earlier version, and for other kinds of lines, the message alone.
 */
export function auditText({ kind, message, fields }: Line): string {
  const { actor_name: name, type } = fields
  if (kind !== 'audit' || typeof name !== 'string' || name === '') return message
  // Where nothing is known about the data, the type stands for a sentence.
  const isWhole = whole.includes(type) || message === type
  return isWhole ? `${name}: ${message}` : `${name} ${message}`
}
