'use client'
/** The dialog that makes a deploy hook and shows its address once. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/lib/api'
import { problemOf } from '@/lib/api-error'
import { Snippet } from '@/ui/copy'
import { CopyOnce } from '@/ui/copy-once'
import { FormDialog } from '@/ui/dialog'
import { TextField } from '@/ui/field'
import type { ProjectRecord } from './use-save'

export function NewDeployHook({ project, onClose }: { project: ProjectRecord; onClose: () => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [branch, setBranch] = useState('')
  const create = useMutation(
    trpc.hooks.create.mutationOptions({
      onSuccess: () => queries.invalidateQueries(trpc.hooks.pathFilter()),
    }),
  )
  if (create.data) return <Created url={create.data.url} onClose={onClose} />
  const { fields } = problemOf(create.error)
  return (
    <FormDialog
      title="New deploy hook"
      action="Create"
      busy={create.isPending}
      error={create.error}
      fields={['name', 'branch']}
      onClose={onClose}
      onSubmit={() => create.mutate({ project: project.id, name, branch: branch.trim() || null })}
    >
      <TextField
        label="Name"
        hint="To recognize it by, such as the system that calls it."
        value={name}
        error={fields.get('name')}
        required
        onChange={(event) => setName(event.target.value)}
        autoComplete="off"
      />
      <TextField
        label="Branch"
        hint="Its newest deployment is built again. Leave it empty for what is live."
        value={branch}
        error={fields.get('branch')}
        onChange={(event) => setBranch(event.target.value)}
        autoComplete="off"
      />
    </FormDialog>
  )
}

function Created({ url, onClose }: { url: string; onClose: () => void }) {
  return (
    <CopyOnce
      title="Copy the address now"
      note="It is shown this once. Whoever has it may have this project built again, until you revoke it."
      onClose={onClose}
    >
      <Snippet text={url} label="Copy the address" />
      <div className="min-w-0">
        <h3 className="mb-1 font-medium">With curl</h3>
        <Snippet text={`curl -X POST ${url}`} label="Copy for curl" />
      </div>
    </CopyOnce>
  )
}
