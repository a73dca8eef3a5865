/** A filter that is typed, and applied when typing pauses. */
import { useEffect, useState } from 'react'

/** Long enough that fast typing sends one query. */
const settleMs = 300

/** The text of the field, and a function to change it; `onChange` gets the text once it has settled. */
export function useTypedFilter(
  value: string,
  onChange: (value: string) => void,
): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(value)
  const [applied, setApplied] = useState(value)
  // Changed elsewhere, such as by "Clear filters" or by going back.
  if (applied !== value) {
    setApplied(value)
    setTyped(value)
  }
  useEffect(() => {
    if (typed === applied) return
    const timer = setTimeout(() => onChange(typed), settleMs)
    return () => clearTimeout(timer)
  }, [typed, applied, onChange])
  return [typed, setTyped]
}
