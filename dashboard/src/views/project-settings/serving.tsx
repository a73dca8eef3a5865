'use client'
/** How deployments go live and are served. */
import type { ReactNode } from 'react'
import { Card, Section } from '@/ui/card'
import { Switch, TextField } from '@/ui/field'
import type { FieldName, SettingsProps } from './changes'

type OnOffProps = SettingsProps & {
  field: 'spa' | 'hsts' | 'branch_addresses' | 'auto_promote'
  label: string
  hint: string
  disabled?: boolean
}

function OnOff({ project, changes, change, field, label, hint, disabled = false }: OnOffProps) {
  return (
    <Switch
      label={label}
      hint={hint}
      checked={changes[field] ?? project[field]}
      disabled={disabled}
      onChange={(event) => change({ [field]: event.target.checked })}
    />
  )
}

/** Each setting but who may visit and what starts the server, in the order of the page. */
const settings: Record<Exclude<FieldName, 'protection' | 'start'>, (props: SettingsProps) => ReactNode> = {
  spa: (props) => (
    <OnOff
      {...props}
      field="spa"
      label="Single-page application"
      hint="Unknown paths get index.html instead of 404."
    />
  ),
  hsts: (props) => (
    <OnOff
      {...props}
      field="hsts"
      label="Only HTTPS"
      hint="A browser that came over HTTPS once uses nothing else for a year (HSTS)."
    />
  ),
  branch_addresses: (props) => (
    <OnOff
      {...props}
      field="branch_addresses"
      label="Addresses of branches"
      hint="Each leads to the newest deployment of its branch. Search engines leave them out."
    />
  ),
  auto_promote: (props) => (
    <OnOff
      {...props}
      field="auto_promote"
      label="Production deployments go live by themselves"
      hint="Otherwise each waits to be promoted."
      disabled={!props.isOwner}
    />
  ),
  preview_ttl_days: ({ project, changes, change, errorOf, isOwner }) => (
    <TextField
      label="Delete previews after days"
      hint="Empty: previews stay until somebody deletes them."
      type="number"
      min={1}
      max={3650}
      value={{ ...project, ...changes }.preview_ttl_days ?? ''}
      disabled={!isOwner}
      error={errorOf('preview_ttl_days')}
      onChange={(event) =>
        change({ preview_ttl_days: event.target.value === '' ? null : Number(event.target.value) })
      }
      className="max-w-32"
    />
  ),
  note: ({ project, changes, change, errorOf }) => (
    <TextField
      label="Note"
      hint="A line for whoever works on it."
      maxLength={200}
      value={{ ...project, ...changes }.note ?? ''}
      error={errorOf('note')}
      onChange={(event) => change({ note: event.target.value || null })}
      autoComplete="off"
    />
  ),
}

export function Serving(props: SettingsProps) {
  const { project, changes, change, errorOf, isOwner } = props
  const git = { ...project.git, ...changes.git }
  return (
    <Section title="Serving">
      <Card className="grid gap-4">
        {Object.entries(settings).map(([name, Setting]) => (
          <Setting key={name} {...props} />
        ))}
        <TextField
          label="Production branch"
          hint="Pushes of it go to production. Empty: the repository's default branch, or the first."
          value={git.production_branch ?? ''}
          disabled={!isOwner}
          error={errorOf('git.production_branch')}
          onChange={(event) => change({ git: { production_branch: event.target.value || null } })}
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
        />
      </Card>
    </Section>
  )
}
