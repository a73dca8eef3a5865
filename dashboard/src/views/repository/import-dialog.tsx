'use client'
/** The dialog that makes a project of a repository at a forge. */
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { problemOf } from '@/lib/api-error'
import { projectPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import { FormDialog } from '@/ui/dialog'
import { Switch, TextField } from '@/ui/field'
import { projectNameFrom } from '../drop/site-files'
import {
  AddressField,
  DirectoryField,
  ForgeField,
  TokenField,
  WatchField,
  watchedIn,
  watchPaths,
} from './fields'
import { providerOf } from './forge-form'
import { ImportedDialog } from './imported-dialog'
import { NameTaken, useImport } from './use-import'

const fields = [
  'git.url',
  'git.provider',
  'git.token',
  'git.production_branch',
  'git.root_directory',
  ...watchPaths,
  'project',
]

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { team } = useRequiredRoute()
  const router = useRouter()
  const [url, setUrl] = useState('')
  const [provider, setProvider] = useState('')
  const [token, setToken] = useState('')
  const [registers, setRegisters] = useState(false)
  const [branch, setBranch] = useState('')
  const [rootDirectory, setRootDirectory] = useState('')
  const [watch, setWatch] = useState('')
  const [given, setGiven] = useState<string>()
  const importing = useImport()
  const name = given ?? projectNameFrom(lastName(rootDirectory) || lastName(url))
  if (importing.data)
    return (
      <ImportedDialog
        imported={importing.data}
        onClose={() => {
          onClose()
          router.push(projectPath(team, importing.data.project.name))
        }}
      />
    )
  const { error } = importing
  const errorOf = (path: string) => problemOf(error).fields.get(path)
  const isTaken = error instanceof NameTaken && importing.variables?.name === name
  const directory = rootDirectory.trim() || null
  const submit = () => {
    const known = providerOf(provider)
    importing.mutate({
      name,
      repository: {
        url: url.trim(),
        ...(known && { provider: known }),
        ...(token.trim() !== '' && { token: token.trim() }),
        ...(branch.trim() !== '' && { production_branch: branch.trim() }),
      },
      rootDirectory: directory,
      watch: directory === null ? [] : watchedIn(watch),
      registers: registers && token.trim() !== '',
    })
  }
  return (
    <FormDialog
      title="Import a repository"
      note="What its production branch has is deployed at once, and what is pushed to it from then on."
      action="Import"
      busy={importing.isPending}
      error={error instanceof NameTaken ? undefined : error}
      fields={fields}
      onClose={onClose}
      onSubmit={submit}
    >
      <AddressField value={url} error={errorOf('git.url')} onChange={setUrl} />
      <ForgeField value={provider} error={errorOf('git.provider')} onChange={setProvider} />
      <TokenField value={token} error={errorOf('git.token')} onChange={setToken} isSet={false} />
      {token.trim() !== '' && (
        <Switch
          label="Make the webhook with it"
          hint="It has to be one that may write webhooks, too. Otherwise you paste an address at the forge."
          checked={registers}
          onChange={(event) => setRegisters(event.target.checked)}
        />
      )}
      <TextField
        label="Production branch"
        hint="Leave it empty for the default branch of the repository."
        value={branch}
        error={errorOf('git.production_branch')}
        onChange={(event) => setBranch(event.target.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <DirectoryField
        value={rootDirectory}
        error={errorOf('git.root_directory')}
        onChange={setRootDirectory}
      />
      {directory !== null && <WatchField value={watch} errorOf={errorOf} onChange={setWatch} />}
      <TextField
        label="Project"
        hint="Lower-case letters, digits and hyphens. It is part of the site's address."
        value={name}
        error={
          isTaken
            ? 'is there already: connect it in its settings, or choose another name'
            : errorOf('project')
        }
        onChange={(event) => setGiven(event.target.value.toLowerCase())}
        autoComplete="off"
        spellCheck={false}
        required
      />
    </FormDialog>
  )
}

function lastName(path: string): string {
  return (
    path
      .trim()
      .replace(/\/+$/, '')
      .replace(/\.git$/, '')
      .split(/[/:]/)
      .at(-1) ?? ''
  )
}
