/** Whether a call may be sent again without knowing what became of the first, by its procedure's meta. */
import type { Definition } from './definition.ts'
import { keepsResponse } from './procedure-meta.ts'

/** `with-key`: takes effect once per Idempotency-Key. */
export type Repeat = 'as-is' | 'with-key'

/** How a call may be repeated; undefined if only a refusal, which leaves no effect, allows it. */
export function repeatOf({ type, meta }: Pick<Definition, 'type' | 'meta'>): Repeat | undefined {
  if (type === 'query') return 'as-is'
  if (keepsResponse(meta)) return 'with-key'
  // RFC 9110, section 9.2.2
  const isIdempotent = ['PUT', 'DELETE'].includes(meta.openapi?.method ?? '')
  return (meta.repeatable ?? isIdempotent) ? 'as-is' : undefined
}
