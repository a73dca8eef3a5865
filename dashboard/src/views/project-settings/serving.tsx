'use client'
/** How deployments go live and are served. */
import { useState } from 'react'
import { Switch, TextField } from '@/ui/field'
import { SettingsForm } from './settings-form'
import { type ProjectRecord, useSave } from './use-save'

type Values = { spa: boolean; hsts: boolean; autoPromote: boolean; days: string }

export function Serving({ project, isOwner }: { project: ProjectRecord; isOwner: boolean }) {
  const saved: Values = {
    spa: project.spa,
    hsts: project.hsts,
    autoPromote: project.auto_promote,
    days: project.preview_ttl_days === null ? '' : String(project.preview_ttl_days),
  }
  const [changes, setChanges] = useState<Partial<Values>>({})
  const values = { ...saved, ...changes }
  const { save, isSaving, error, errorOf } = useSave(project, () => setChanges({}))
  const change = (next: Partial<Values>) => setChanges({ ...changes, ...next })
  return (
    <SettingsForm
      title="Serving"
      isChanged={JSON.stringify(values) !== JSON.stringify(saved)}
      isSaving={isSaving}
      error={error}
      onSave={() =>
        save({
          ...(changes.spa !== undefined && { spa: changes.spa }),
          ...(changes.hsts !== undefined && { hsts: changes.hsts }),
          ...(changes.autoPromote !== undefined && { auto_promote: changes.autoPromote }),
          ...(changes.days !== undefined && {
            preview_ttl_days: changes.days === '' ? null : Number(changes.days),
          }),
        })
      }
    >
      <Switch
        label="Single-page application"
        hint="Unknown paths get index.html instead of 404."
        checked={values.spa}
        onChange={(event) => change({ spa: event.target.checked })}
      />
      <Switch
        label="HTTPS alone"
        hint="Browsers that came over HTTPS once use nothing else for a year (HSTS)."
        checked={values.hsts}
        onChange={(event) => change({ hsts: event.target.checked })}
      />
      <Switch
        label="Production deployments go live by themselves"
        hint="Otherwise each waits to be promoted."
        checked={values.autoPromote}
        disabled={!isOwner}
        onChange={(event) => change({ autoPromote: event.target.checked })}
      />
      <TextField
        label="Days that previews stay"
        hint="Empty: until they are deleted."
        type="number"
        min={1}
        max={3650}
        value={values.days}
        disabled={!isOwner}
        error={errorOf('preview_ttl_days')}
        onChange={(event) => change({ days: event.target.value })}
        className="max-w-32"
      />
    </SettingsForm>
  )
}
