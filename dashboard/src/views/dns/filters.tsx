'use client'
/** The filters of the list of records. */
import { useTypedFilter } from '@/lib/typed-filter'
import { Button } from '@/ui/button'
import { Select, TextField } from '@/ui/field'
import { recordTypes } from './record-input'

type RecordFiltersProps = {
  name: string
  type: string
  onChange: (changes: Record<string, string>) => void
}

const types = [{ value: '', label: 'All' }, ...recordTypes.map((type) => ({ value: type, label: type }))]

/** By exact name and by type; the values are kept by the parent. */
export function RecordFilters({ name, type, onChange }: RecordFiltersProps) {
  const [typed, setTyped] = useTypedFilter(name, (value) => onChange({ name: value }))
  return (
    <search className="mb-4 flex flex-wrap items-end gap-3">
      <div className="w-48 max-sm:w-full">
        <TextField
          label="Only the name"
          placeholder="www, or @"
          value={typed}
          onChange={(event) => setTyped(event.target.value.trim())}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <div className="w-28">
        <Select
          label="Only the type"
          options={types}
          value={type}
          onChange={(event) => onChange({ type: event.target.value })}
        />
      </div>
      {(name !== '' || type !== '') && (
        <Button look="quiet" onClick={() => onChange({ name: '', type: '' })}>
          Clear filters
        </Button>
      )}
    </search>
  )
}
