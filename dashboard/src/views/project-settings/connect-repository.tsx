'use client'
/** The dialog that connects a repository, and shows what to paste where at the forge. */
import { useState } from 'react'
import { Snippet } from '@/ui/copy'
import { CopyOnce } from '@/ui/copy-once'
import { FormDialog } from '@/ui/dialog'
import { Select, Switch, TextField } from '@/ui/field'
import { type ProjectRecord, useSave } from './use-save'

type Provider = NonNullable<ProjectRecord['git']['provider']>

/** In base64, after the prefix by which GitLab knows the form (Standard Webhooks). */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}

const providers = [
  { value: '', label: 'By its address' },
  { value: 'github', label: 'GitHub' },
  { value: 'gitlab', label: 'GitLab' },
  { value: 'gitea', label: 'Gitea or Forgejo' },
]

/** Where each forge has its form. */
const forms: Record<Provider, { place: string; field: string; others: string }> = {
  github: {
    place: 'At GitHub, in the repository: Settings, Webhooks, Add webhook.',
    field: 'Payload URL',
    others: 'Content type: application/json. Events: Pushes, Pull requests, Branch or tag deletion.',
  },
  gitlab: {
    place: 'At GitLab, in the project: Settings, Webhooks, Add new webhook.',
    field: 'URL',
    others: 'Trigger: Push events and Merge request events.',
  },
  gitea: {
    place: 'In the repository: Settings, Webhooks, Add Webhook, Gitea (or Forgejo).',
    field: 'Target URL',
    others: 'Content type: application/json. Events: Push, Delete, Pull Request and its Synchronized.',
  },
}

export function ConnectRepository({ project, onClose }: { project: ProjectRecord; onClose: () => void }) {
  const { git } = project
  const [url, setUrl] = useState(git.url ?? '')
  const [chosen, setChosen] = useState<string>()
  const [token, setToken] = useState('')
  const [rootDirectory, setRootDirectory] = useState(git.root_directory ?? '')
  const [closeDays, setCloseDays] = useState(git.close_days === null ? '' : String(git.close_days))
  const [skips, setSkips] = useState(git.skip_unchanged)
  const [made] = useState(newSecret)
  const [isReplaced, setReplaced] = useState(false)
  const [connected, setConnected] = useState<ProjectRecord>()
  const isSame = git.secret_set && url.trim() === git.url
  const secret = isSame && !isReplaced ? undefined : made
  const onSaved = (saved: ProjectRecord) => (secret === undefined ? onClose() : setConnected(saved))
  const { save, isSaving, error, errorOf } = useSave(project, onSaved, 'The repository is connected.')
  if (connected) return <Connected project={connected} secret={made} onClose={onClose} />
  // The present kind says nothing about another address.
  const provider = chosen ?? (url.trim() === git.url ? git.provider : null)
  const known = (['github', 'gitlab', 'gitea'] as const).find((each) => each === provider)
  return (
    <FormDialog
      title={git.url === null ? 'Connect a repository' : 'Change the repository'}
      note={
        git.secret_set &&
        secret !== undefined &&
        'The secret is replaced: until the new one is at the forge, its pushes are refused.'
      }
      action={isSame ? 'Save' : 'Connect'}
      busy={isSaving}
      error={error}
      fields={['git.url', 'git.provider', 'git.token', 'git.root_directory', 'git.close_days']}
      disabled={url.trim() === ''}
      onClose={onClose}
      onSubmit={() =>
        save({
          git: {
            url: url.trim(),
            ...(secret !== undefined && { secret }),
            root_directory: rootDirectory.trim() || null,
            skip_unchanged: skips,
            close_days: closeDays.trim() === '' ? null : Number(closeDays),
            ...(known && { provider: known }),
            ...(token !== '' && { token: token.trim() }),
          },
        })
      }
    >
      <TextField
        label="Address"
        placeholder="https://github.com/acme/web"
        value={url}
        error={errorOf('git.url')}
        onChange={(event) => setUrl(event.target.value)}
        autoComplete="off"
        inputMode="url"
      />
      <Select
        label="Kind of forge"
        options={providers}
        value={provider ?? ''}
        error={errorOf('git.provider')}
        onChange={(event) => setChosen(event.target.value)}
      />
      <TextField
        label="Token"
        type="password"
        hint={
          git.token_set
            ? 'Leave it empty to keep the present one, as long as the address stays.'
            : 'Only for a private repository: one that may read it and nothing else.'
        }
        value={token}
        error={errorOf('git.token')}
        onChange={(event) => setToken(event.target.value)}
        autoComplete="off"
      />
      {isSame && (
        <Switch
          label="Make a new secret"
          checked={isReplaced}
          onChange={(event) => setReplaced(event.target.checked)}
        />
      )}
      <TextField
        label="Directory"
        hint="Where the site is in the repository. Leave it empty for all of it."
        value={rootDirectory}
        error={errorOf('git.root_directory')}
        onChange={(event) => setRootDirectory(event.target.value)}
        autoComplete="off"
      />
      {rootDirectory.trim() !== '' && (
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

type ConnectedProps = { project: ProjectRecord; secret: string; onClose: () => void }

function Connected({ project: { git }, secret, onClose }: ConnectedProps) {
  const form = forms[git.provider ?? 'github']
  return (
    <CopyOnce
      title="Configure the forge now"
      note={`${form.place} The secret is shown this once; a change can make another one.`}
      wide
      onClose={onClose}
    >
      <Pasted label={form.field} text={git.hook_url ?? ''} />
      <Pasted label="Secret" text={secret} />
      <p>{form.others}</p>
    </CopyOnce>
  )
}

function Pasted({ label, text }: { label: string; text: string }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-1 font-medium">{label}</h3>
      <Snippet text={text} label={`Copy: ${label}`} />
    </div>
  )
}
