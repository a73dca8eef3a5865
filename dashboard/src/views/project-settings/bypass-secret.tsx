'use client'
/** The secret by which programs pass a project's protection. */
import { useState } from 'react'
import { Button } from '@/ui/button'
import { Card, Section } from '@/ui/card'
import { Snippet } from '@/ui/copy'
import { Problem } from '@/ui/problem'
import { type ProjectRecord, useSave } from './use-save'

/** The length of a secret in bytes, which it has in hexadecimal. */
const secretBytes = 24

function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function BypassSecret({ project, isOwner }: { project: ProjectRecord; isOwner: boolean }) {
  const [made, setMade] = useState<string>()
  const [pending, setPending] = useState<string>()
  const done = pending === undefined ? 'The bypass secret is removed.' : 'The bypass secret is made.'
  const { save, isSaving, error } = useSave(project, () => setMade(pending), done)
  const replace = (secret: string | undefined) => {
    setPending(secret)
    save({ bypass_secret: secret ?? null })
  }
  return (
    <Section
      title="Bypass secret"
      note={
        <>
          Opens protected addresses as the header <code>x-svc-bypass</code> or, once, in the URL.{' '}
          {project.bypass_set ? 'One is set; a new one ends it.' : 'None is set.'}
        </>
      }
    >
      <Card>
        {made !== undefined && (
          <div className="mb-3 grid gap-1">
            <Snippet text={made} label="Copy the secret" />
            <p className="text-dim">Copy it now: it is shown this once.</p>
          </div>
        )}
        {error !== null && <Problem error={error} />}
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
      </Card>
    </Section>
  )
}
