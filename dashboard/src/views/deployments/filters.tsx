'use client'
/** Filters of a list of deployments. */
import { SearchField } from '@/ui/search-field'

type FiltersProps = {
  state: string
  target: string
  branch: string
  onChange: (changes: Record<string, string>) => void
}

const states = [
  ['', 'Any state'],
  ['queued,building', 'Unfinished'],
  ['ready', 'Ready'],
  ['error', 'Failed'],
  ['canceled', 'Canceled'],
] as const

const targets = [
  ['', 'Any target'],
  ['production', 'Production'],
  ['preview', 'Preview'],
] as const

const box = 'h-8 rounded-md border border-line-strong bg-surface px-2'

export function Filters({ state, target, branch, onChange }: FiltersProps) {
  return (
    <div className="mb-4 flex flex-wrap gap-2">
      <select
        aria-label="State"
        value={state}
        onChange={(event) => onChange({ state: event.target.value })}
        className={box}
      >
        {states.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <select
        aria-label="Target"
        value={target}
        onChange={(event) => onChange({ target: event.target.value })}
        className={box}
      >
        {targets.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <SearchField label="Branch" value={branch} onChange={(value) => onChange({ branch: value })} />
    </div>
  )
}
