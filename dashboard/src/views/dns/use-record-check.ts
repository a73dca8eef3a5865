/** The API's check of a record while it is typed. */
import { skipToken, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Outputs, useTRPC } from '@/lib/api'
import { useDebounced } from '@/lib/debounced'
import { fieldsOf, type RecordInput } from './record-input'

export type RecordProblem = NonNullable<Outputs['dns']['check']['problem']>

const settleMs = 300

/** A check is a GET, whose URL is limited; longer values are checked when they are saved. */
const maxValue = 2_000

/**
 * Why the record would be refused; null if it would not, or that is not known yet. It is for what was typed
 * when typing last paused. `record` is the id of the one to change.
 */
export function useRecordCheck(
  domain: string,
  record: string | undefined,
  input: RecordInput,
): RecordProblem | null {
  const trpc = useTRPC()
  const fields = useMemo(() => fieldsOf(input), [input])
  const settled = useDebounced(fields, settleMs)
  const isCheckable =
    settled.name !== '' && settled.value.trim() !== '' && encodeURIComponent(settled.value).length <= maxValue
  const { data } = useQuery(
    trpc.dns.check.queryOptions(
      isCheckable ? { domain, ...(record !== undefined && { record }), ...settled } : skipToken,
      { staleTime: 0, retry: false, placeholderData: (previous) => previous },
    ),
  )
  return isCheckable ? (data?.problem ?? null) : null
}
