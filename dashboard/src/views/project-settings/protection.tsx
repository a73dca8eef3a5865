'use client'
/** Who may visit a project's addresses. */
import { useState } from 'react'
import { Button } from '@/ui/button'
import { Snippet } from '@/ui/copy'
import { Select } from '@/ui/field'
import { SettingsForm } from './settings-form'
import { type ProjectRecord, useSave } from './use-save'

const options = [
  { value: 'none', label: 'Everybody' },
  { value: 'preview', label: 'Previews only with a credential' },
  { value: 'all', label: 'Everything only with a credential' },
]

export function Protection({ project, isOwner }: { project: ProjectRecord; isOwner: boolean }) {
  const [chosen, setChosen] = useState<string>(project.protection)
  const { save, isSaving, error } = useSave(project)
  return (
    <SettingsForm
      title="Protection"
      note="People sign in. The credential of a program is an API key of the team, or the bypass secret."
      isChanged={chosen !== project.protection}
      isSaving={isSaving}
      error={error}
      onSave={() => save({ protection: chosen === 'all' || chosen === 'preview' ? chosen : 'none' })}
    >
      <Select
        label="Who may visit"
        options={options}
        value={chosen}
        disabled={!isOwner}
        onChange={(event) => setChosen(event.target.value)}
      />
      <Bypass project={project} isOwner={isOwner} />
    </SettingsForm>
  )
}

/** Of these bytes in hexadecimal. */
const secretBytes = 24

function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function Bypass({ project, isOwner }: { project: ProjectRecord; isOwner: boolean }) {
  const [made, setMade] = useState<string>()
  const [pending, setPending] = useState<string>()
  const { save, isSaving } = useSave(project, () => setMade(pending))
  const replace = (secret: string | undefined) => {
    setPending(secret)
    save({ bypass_secret: secret ?? null })
  }
  return (
    <div>
      <p className="font-medium">Bypass secret</p>
      <p className="mb-2 text-dim">
        Opens protected addresses as the header <code>x-svc-bypass</code> or, once, in the URL.{' '}
        {project.bypass_set ? 'One is set; a new one ends it.' : 'None is set.'}
      </p>
      {made !== undefined && (
        <div className="mb-2 grid gap-1">
          <Snippet text={made} label="Copy the secret" />
          <p className="text-dim">Copy it now: it is shown this once.</p>
        </div>
      )}
      <div className="flex gap-2">
        <Button disabled={!isOwner} busy={isSaving} onClick={() => replace(newSecret())}>
          {project.bypass_set ? 'Replace' : 'Make one'}
        </Button>
        {project.bypass_set && (
          <Button disabled={!isOwner} busy={isSaving} onClick={() => replace(undefined)}>
            Remove
          </Button>
        )}
      </div>
    </div>
  )
}
