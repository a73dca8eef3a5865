'use client'
/** The filters of the list of domains. */
import { useTypedFilter } from '@/lib/typed-filter'
import { Button } from '@/ui/button'
import { Select } from '@/ui/field'
import { ProjectField } from './project-field'

type DomainFiltersProps = {
  project: string
  verified: string
  onChange: (changes: Record<string, string>) => void
}

const states = [
  { value: '', label: 'All' },
  { value: 'true', label: 'Verified' },
  { value: 'false', label: 'Not verified' },
]

/** By state and by project; the values are kept by the parent. */
export function DomainFilters({ project, verified, onChange }: DomainFiltersProps) {
  const [typed, setTyped] = useTypedFilter(project, (value) => onChange({ project: value }))
  return (
    <search className="mb-4 flex flex-wrap items-end gap-3">
      <div className="w-40 max-sm:w-full">
        <Select
          label="State"
          options={states}
          value={verified}
          onChange={(event) => onChange({ verified: event.target.value })}
        />
      </div>
      <div className="w-56 max-sm:w-full">
        <ProjectField label="Project" placeholder="Any" value={typed} onChange={setTyped} />
      </div>
      {(project !== '' || verified !== '') && (
        <Button look="quiet" onClick={() => onChange({ project: '', verified: '' })}>
          Clear filters
        </Button>
      )}
    </search>
  )
}
