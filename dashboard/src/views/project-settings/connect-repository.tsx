'use client'
/** The dialog that connects a repository, and shows what to paste where at the forge. */
import { useState } from 'react'
import { CopyOnce } from '@/ui/copy-once'
import { FormDialog } from '@/ui/dialog'
import { Switch, TextField } from '@/ui/field'
import {
  AddressField,
  DirectoryField,
  ForgeField,
  TokenField,
  WatchField,
  watchedIn,
  watchPaths,
} from '../repository/fields'
import { FirstFetch } from '../repository/first-fetch'
import { ForgeForm, formPlace, newSecret, providerOf } from '../repository/forge-form'
import { useConnect } from './use-connect'
import type { ProjectRecord } from './use-save'

export function ConnectRepository({ project, onClose }: { project: ProjectRecord; onClose: () => void }) {
  const { git } = project
  const [before] = useState(git.url)
  const [url, setUrl] = useState(git.url ?? '')
  const [chosen, setChosen] = useState<string>()
  const [token, setToken] = useState('')
  const [rootDirectory, setRootDirectory] = useState(git.root_directory ?? '')
  const [watch, setWatch] = useState(git.watch.join('\n'))
  const [closeDays, setCloseDays] = useState(git.close_days === null ? '' : String(git.close_days))
  const [skips, setSkips] = useState(git.skip_unchanged)
  const [made] = useState(newSecret)
  const [isReplaced, setReplaced] = useState(false)
  const [connected, setConnected] = useState<ProjectRecord>()
  const isSame = git.secret_set && url.trim() === git.url
  const secret = isSame && !isReplaced ? undefined : made
  const onSaved = (saved: ProjectRecord) => (secret === undefined ? onClose() : setConnected(saved))
  const { connect, isConnecting, error, errorOf } = useConnect(project, onSaved)
  if (connected) {
    const isOther = connected.git.url !== before
    return <Connected project={connected} isOther={isOther} secret={made} onClose={onClose} />
  }
  // The present kind says nothing about another address.
  const provider = chosen ?? (url.trim() === git.url ? git.provider : null)
  const known = providerOf(provider)
  const hasDirectory = rootDirectory.trim() !== ''
  const watched = watchedIn(watch)
  return (
    <FormDialog
      title={git.url === null ? 'Connect a repository' : 'Change the repository'}
      note={
        git.secret_set &&
        secret !== undefined &&
        'The secret is replaced: until the new one is at the forge, its pushes are refused.'
      }
      action={isSame ? 'Save' : 'Connect'}
      busy={isConnecting}
      error={error}
      fields={[
        ...['git.url', 'git.provider', 'git.token', 'git.root_directory', 'git.close_days'],
        ...watchPaths,
      ]}
      onClose={onClose}
      onSubmit={() =>
        connect({
          url: url.trim(),
          ...(secret !== undefined && { secret }),
          root_directory: rootDirectory.trim() || null,
          watch: watched,
          skip_unchanged: skips,
          close_days: closeDays.trim() === '' ? null : Number(closeDays),
          ...(known && { provider: known }),
          ...(token !== '' && { token: token.trim() }),
        })
      }
    >
      <AddressField value={url} error={errorOf('git.url')} onChange={setUrl} />
      <ForgeField value={provider ?? ''} error={errorOf('git.provider')} onChange={setChosen} />
      <TokenField value={token} error={errorOf('git.token')} onChange={setToken} isSet={git.token_set} />
      {isSame && (
        <Switch
          label="Make a new secret"
          checked={isReplaced}
          onChange={(event) => setReplaced(event.target.checked)}
        />
      )}
      <DirectoryField
        value={rootDirectory}
        error={errorOf('git.root_directory')}
        onChange={setRootDirectory}
      />
      {(hasDirectory || project.build.root_directory !== '.') && (
        <WatchField value={watch} errorOf={errorOf} onChange={setWatch} />
      )}
      {(hasDirectory || watched.length > 0) && (
        <Switch
          label="Pass over pushes that change nothing there"
          checked={skips}
          onChange={(event) => setSkips(event.target.checked)}
        />
      )}
      <TextField
        label="Delete deployments made for closed pull requests after days"
        hint="Empty: they stay as long as other previews."
        value={closeDays}
        error={errorOf('git.close_days')}
        onChange={(event) => setCloseDays(event.target.value)}
        type="number"
        min={0}
        max={365}
        className="max-w-32"
      />
    </FormDialog>
  )
}

type ConnectedProps = {
  project: ProjectRecord
  /** Whether it had another repository, or none. */
  isOther: boolean
  secret: string
  onClose: () => void
}

function Connected({ project, isOther, secret, onClose }: ConnectedProps) {
  const { git } = project
  const provider = git.provider ?? 'github'
  return (
    <CopyOnce
      title="Configure the forge now"
      note={`${formPlace(provider)} The secret is shown this once; a change can make another one.`}
      wide
      onClose={onClose}
    >
      {isOther && <FirstFetch project={project} />}
      <ForgeForm provider={provider} hookUrl={git.hook_url ?? ''} secret={secret} />
    </CopyOnce>
  )
}
