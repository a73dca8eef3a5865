/** A filter that is typed, and applied when typing pauses. */
import { useEffect, useState } from 'react'

/** Long enough that fast typing sends one query. */
const settleMs = 200

/**
 * The text of the field, and a function to change it. `onChange` gets the text once it has settled, as
 * `wantedOf` makes it; where that is undefined, the text isn't right yet.
 */
export function useTypedFilter(
  value: string,
  onChange: (value: string) => void,
  wantedOf: (typed: string) => string | undefined = asTyped,
): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(value)
  const [applied, setApplied] = useState(value)
  const [sent, setSent] = useState<readonly string[]>([])
  if (applied !== value) {
    setApplied(value)
    const at = sent.indexOf(value)
    // The field's own change, which may arrive when more has been typed; or one made elsewhere, such as by
    // "Clear filters", or by following a link to the page without filters.
    if (at === -1) setTyped(value)
    setSent(at === -1 ? [] : sent.slice(at + 1))
  }
  const wanted = wantedOf(typed)
  useEffect(() => {
    if (wanted === undefined || wanted === (sent.at(-1) ?? applied)) return
    const timer = setTimeout(() => {
      setSent([...sent, wanted])
      onChange(wanted)
    }, settleMs)
    return () => clearTimeout(timer)
  }, [wanted, sent, applied, onChange])
  return [typed, setTyped]
}

const asTyped = (typed: string) => typed
