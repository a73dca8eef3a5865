'use client'
/** A field that searches a list as one types; `/` focuses it. */
import { useTypedFilter } from '@/lib/typed-filter'
import { Icon } from './icons'

type SearchFieldProps = { label: string; value: string; onChange: (value: string) => void }

export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useTypedFilter(value, onChange)
  return (
    <div className="relative w-full max-w-xs">
      <Icon name="search" className="absolute top-2 left-2.5 text-dim" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        autoComplete="off"
        spellCheck={false}
        className="h-8 w-full rounded-md border border-line-strong bg-surface pr-2 pl-8 placeholder:text-dim"
      />
    </div>
  )
}
