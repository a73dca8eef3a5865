'use client'
/** The part of forms that chooses what a domain shows. */
import { useId } from 'react'
import { Select, TextField } from '@/ui/field'
import { ProjectField } from './project-field'
import type { Domain } from './state'

type Kind = 'project' | 'redirect' | 'none'

export type DestinationInput = { kind: Kind; project: string; to: string; status: string }

const kinds: { value: Kind; label: string }[] = [
  { value: 'project', label: 'A project' },
  { value: 'redirect', label: 'A redirect' },
  { value: 'none', label: 'Nothing' },
]

const statuses = [
  { value: '308', label: '308 permanent' },
  { value: '307', label: '307 temporary' },
  { value: '301', label: '301 permanent, may change the method' },
  { value: '302', label: '302 temporary, may change the method' },
]

/** The input for a domain that shows `project`; `''` lets the person choose. */
export function emptyDestination(project: string): DestinationInput {
  return { kind: 'project', project, to: '', status: '308' }
}

/** The input for what a domain shows. */
export function destinationOf({ project, redirect }: Domain): DestinationInput {
  return {
    kind: redirect ? 'redirect' : project === null ? 'none' : 'project',
    project: project ?? '',
    to: redirect?.to ?? '',
    status: String(redirect?.status ?? 308),
  }
}

/** The fields of `domains.put`; what isn't chosen is cleared. */
export function destinationChanges({ kind, project, to, status }: DestinationInput) {
  return {
    project: kind === 'project' ? project : null,
    redirect: kind === 'redirect' ? { to, status: readStatus(status) } : null,
  }
}

function readStatus(text: string): 301 | 302 | 307 | 308 {
  const status = Number(text)
  return status === 301 || status === 302 || status === 307 ? status : 308
}

type DestinationFieldsProps = {
  value: DestinationInput
  onChange: (value: DestinationInput) => void
  /** The problems that the API found, by path. */
  errors: Map<string, string>
}

/** The paths of what they show. */
export const destinationPaths = ['project', 'redirect.to', 'redirect.status']

export function DestinationFields({ value, onChange, errors }: DestinationFieldsProps) {
  const name = useId()
  return (
    <>
      <fieldset>
        <legend className="mb-1 font-medium">Visitors get</legend>
        <div className="flex flex-wrap gap-x-4 gap-y-1">
          {kinds.map(({ value: kind, label }) => (
            <label key={kind} className="flex items-center gap-2">
              <input
                type="radio"
                name={name}
                className="size-4 accent-accent"
                checked={value.kind === kind}
                onChange={() => onChange({ ...value, kind })}
              />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      {value.kind === 'project' && (
        <ProjectField
          label="Project"
          value={value.project}
          error={errors.get('project')}
          required
          onChange={(project) => onChange({ ...value, project })}
        />
      )}
      {value.kind === 'redirect' && (
        <>
          <TextField
            label="Redirect to"
            hint="A host name. The path of a request stays."
            placeholder="example.com"
            value={value.to}
            error={errors.get('redirect.to')}
            onChange={(event) => onChange({ ...value, to: event.target.value.trim() })}
            autoComplete="off"
            spellCheck={false}
            required
          />
          <Select
            label="Status"
            options={statuses}
            value={value.status}
            error={errors.get('redirect.status')}
            onChange={(event) => onChange({ ...value, status: event.target.value })}
          />
        </>
      )}
    </>
  )
}
