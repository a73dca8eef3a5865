/** Email addresses of users. */
import { z } from 'zod'
import { invalidField } from '../../lib/errors.ts'

/** RFC 5321, section 4.5.3.1.3: a path has at most 256 octets, angle brackets included. */
const maxLength = 254

const emailSchema = z.string().trim().toLowerCase().max(maxLength).pipe(z.email())

/** The address in lower case, trimmed. @throws AppError `invalid_input`. */
export function parseEmail(text: string): string {
  const parsed = emailSchema.safeParse(text)
  if (!parsed.success) throw invalidField('email', 'should be an email address, such as ada@example.com')
  return parsed.data
}
