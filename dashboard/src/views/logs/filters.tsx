'use client'
/** The filters of the log. */
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTRPC } from '@/lib/api'
import { classNames } from '@/lib/class-names'
import { useRequiredRoute } from '@/lib/route'
import { useTypedFilter } from '@/lib/typed-filter'
import type { UrlState } from '@/lib/url-state'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons'
import { SearchField } from '@/ui/search-field'
import { isStatus, kinds, levels, ranges } from './use-log-query'

export function Filters({ url: { get, set } }: { url: UrlState }) {
  const { project } = useRequiredRoute()
  const deployment = get('deployment')
  return (
    <div className="mb-4 flex flex-wrap gap-2">
      <SearchField label="Search messages" value={get('q')} onChange={(q) => set({ q })} />
      <Choice
        label="Kind"
        value={get('kind')}
        options={[['', 'All kinds'], ...kinds.map((kind): Option => [kind, kind])]}
        // Other lines than requests have no status and no host.
        onChange={(kind) => set({ kind, ...(kind !== '' && kind !== 'request' && { status: '', host: '' }) })}
      />
      {['', 'request'].includes(get('kind')) && (
        <>
          <Field
            label="Status"
            hint="404 or 4xx"
            value={get('status')}
            options={['2xx', '3xx', '4xx', '5xx', '404']}
            isWrong={(text) => text !== '' && !isStatus(text)}
            onChange={(status) => set({ status, level: '' })}
          />
          <Field label="Host" hint="www.example.com" value={get('host')} onChange={(host) => set({ host })} />
        </>
      )}
      <Choice
        label="Level"
        value={get('level')}
        options={[['', 'All levels'], ...levels.map((level): Option => [level, level])]}
        // A status has a level of its own.
        onChange={(level) => set({ level, status: '' })}
      />
      {project === undefined && (
        <Projects value={get('project')} onChange={(name) => set({ project: name })} />
      )}
      <Choice
        label="Time"
        value={get('range')}
        options={[['', 'Any time'], ...Object.entries(ranges).map(([id, { label }]): Option => [id, label])]}
        onChange={(range) => set({ range })}
      />
      {deployment !== '' && (
        <Button look="quiet" onClick={() => set({ deployment: '' })} title={deployment}>
          {deployment.slice(0, 12)}… <Icon name="close" />
        </Button>
      )}
    </div>
  )
}

type FieldProps = {
  label: string
  /** An example. */
  hint: string
  value: string
  options?: string[]
  isWrong?: (text: string) => boolean
  onChange: (value: string) => void
}

/** A text that filters once it is right. */
function Field({ label, hint, value, options = [], isWrong = () => false, onChange }: FieldProps) {
  const [typed, setTyped] = useTypedFilter(value, onChange, (text) => {
    const wanted = text.trim().toLowerCase()
    return isWrong(wanted) ? undefined : wanted
  })
  const list = useId()
  return (
    <>
      <input
        aria-label={`${label}, such as ${hint}`}
        aria-invalid={isWrong(typed.trim().toLowerCase()) || undefined}
        placeholder={label}
        list={options.length > 0 ? list : undefined}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className={classNames(
          'h-8 rounded-md border bg-surface px-2 placeholder:text-dim',
          options.length > 0 ? 'w-24' : 'w-44',
          isWrong(typed.trim().toLowerCase()) ? 'border-bad' : 'border-line-strong',
        )}
      />
      {options.length > 0 && (
        <datalist id={list}>
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
    </>
  )
}

type Option = readonly [value: string, label: string]
type ChoiceProps = { label: string; value: string; options: Option[]; onChange: (value: string) => void }

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="h-8 max-w-48 rounded-md border border-line-strong bg-surface px-2"
    >
      {options.map(([id, text]) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </select>
  )
}

function Projects({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.projects.list.queryOptions({ limit: 100 }))
  const names = data?.data.map(({ name }) => name) ?? []
  const all = value === '' || names.includes(value) ? names : [value, ...names]
  return (
    <Choice
      label="Project"
      value={value}
      options={[['', 'All projects'], ...all.map((name): Option => [name, name])]}
      onChange={onChange}
    />
  )
}
