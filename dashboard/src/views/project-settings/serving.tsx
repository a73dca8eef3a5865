'use client'
/** How deployments go live and are served. */
import { Card, Section } from '@/ui/card'
import { Switch, TextField } from '@/ui/field'
import type { SettingsProps } from './changes'

export function Serving({ project, changes, change, errorOf, isOwner }: SettingsProps) {
  const values = { ...project, ...changes }
  const git = { ...project.git, ...changes.git }
  return (
    <Section title="Serving">
      <Card className="grid gap-4">
        <Switch
          label="Single-page application"
          hint="Unknown paths get index.html instead of 404."
          checked={values.spa}
          onChange={(event) => change({ spa: event.target.checked })}
        />
        <Switch
          label="Only HTTPS"
          hint="A browser that came over HTTPS once uses nothing else for a year (HSTS)."
          checked={values.hsts}
          onChange={(event) => change({ hsts: event.target.checked })}
        />
        <Switch
          label="Addresses of branches"
          hint="Each leads to the newest deployment of its branch. Search engines leave them out."
          checked={values.branch_addresses}
          onChange={(event) => change({ branch_addresses: event.target.checked })}
        />
        <Switch
          label="Production deployments go live by themselves"
          hint="Otherwise each waits to be promoted."
          checked={values.auto_promote}
          disabled={!isOwner}
          onChange={(event) => change({ auto_promote: event.target.checked })}
        />
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
        <TextField
          label="Delete previews after days"
          hint="Empty: previews stay until somebody deletes them."
          type="number"
          min={1}
          max={3650}
          value={values.preview_ttl_days ?? ''}
          disabled={!isOwner}
          error={errorOf('preview_ttl_days')}
          onChange={(event) =>
            change({ preview_ttl_days: event.target.value === '' ? null : Number(event.target.value) })
          }
          className="max-w-32"
        />
      </Card>
    </Section>
  )
}
