'use client'
/** The repository at a forge whose pushes are deployed, and what the forge sent; for owners. */
import { lazy, Suspense, useState } from 'react'
import { visibleLine } from '@/lib/visible'
import { Button } from '@/ui/button'
import { Card, Section } from '@/ui/card'
import { Snippet } from '@/ui/copy'
import { Empty } from '@/ui/empty'
import { Switch } from '@/ui/field'
import { Problem } from '@/ui/problem'
import { DeployNow } from '../repository/deploy-now'
import { RegisterHook } from './register-hook'
import { RepositoryDeliveries } from './repository-deliveries'
import { type ProjectRecord, useSave } from './use-save'

const ConnectRepository = lazy(() =>
  import('./connect-repository').then((module) => ({ default: module.ConnectRepository })),
)
const Confirm = lazy(() => import('@/ui/dialog').then((module) => ({ default: module.Confirm })))

export function Repository({ project }: { project: ProjectRecord }) {
  const [opened, setOpened] = useState<'connect' | 'disconnect'>()
  const close = () => setOpened(undefined)
  const { save, isSaving, error } = useSave(project, close, 'The repository is disconnected.')
  const { url } = project.git
  return (
    <Section
      title="Git repository"
      note="What is pushed to it at GitHub, GitLab, Gitea or Forgejo is deployed."
      actions={
        <Button onClick={() => setOpened('connect')}>{url === null ? 'Connect' : 'Connect again'}</Button>
      }
    >
      {url === null ? (
        <Empty title="No repository">Connect one, or push straight here with svc git remote.</Empty>
      ) : (
        <Connected project={project} url={url} onDisconnect={() => setOpened('disconnect')} />
      )}
      {opened === 'connect' && (
        <Suspense>
          <ConnectRepository project={project} onClose={close} />
        </Suspense>
      )}
      {opened === 'disconnect' && (
        <Suspense>
          <Confirm
            title="Disconnect the repository?"
            note="Its pushes deploy nothing from now on. Deployments stay; token and secret are removed."
            action="Disconnect"
            danger
            busy={isSaving}
            error={error}
            onClose={close}
            onSubmit={() => save({ git: { url: null } })}
          />
        </Suspense>
      )}
    </Section>
  )
}

type ConnectedProps = { project: ProjectRecord; url: string; onDisconnect: () => void }

function Connected({ project, url, onDisconnect }: ConnectedProps) {
  const { root_directory, watch, close_days, hook_url, secret_set, token_set, production_branch } =
    project.git
  return (
    <>
      <Card>
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0 flex-1 basis-72">
            <a href={url} rel="noreferrer" className="font-medium break-all underline">
              {visibleLine(url)}
            </a>
            <p className="mt-1 break-words text-dim">
              {production_branch ?? 'The default branch'} goes to production, other branches to previews.
              {root_directory !== null && ` Only its directory ${visibleLine(root_directory)} is deployed.`}
              {watch.length > 0 && ` Changes of ${watch.map(visibleLine).join(', ')} are deployed, too.`}
              {close_days !== null && ` ${fateOfClosed(close_days)}`}
              {token_set ? ' A token reads it.' : ' It is read without a token.'}
              {` ${connectorOf(project)}`}
            </p>
          </div>
          <Button onClick={onDisconnect}>Disconnect</Button>
        </div>
        <DeployNow project={project} branch={production_branch} />
        {hook_url !== null && (
          <div className="mt-3 grid gap-1">
            <p className="text-dim">
              {secret_set
                ? 'The forge sends pushes and pull requests here:'
                : 'No secret is set, so nothing that comes here is taken:'}
            </p>
            <Snippet text={hook_url} label="Copy the address of the hook" />
            {token_set && <RegisterHook project={project} />}
          </div>
        )}
        <Forks project={project} />
      </Card>
      <RepositoryDeliveries project={project} />
    </>
  )
}

function connectorOf({ git }: ProjectRecord): string {
  const name = visibleLine(git.connected_by_name ?? git.connected_by ?? 'Somebody')
  if (git.connected_by_role === 'owner') return `${name} connected it.`
  const left = git.connected_by_role === null ? 'has left the team' : 'is no owner any more'
  return `${name} connected it, and ${left}: it goes on until an owner disconnects it.`
}

function fateOfClosed(days: number): string {
  if (days === 0) return 'Deployments made for pull requests that are closed are deleted.'
  const time = days === 1 ? 'a day' : `${days} days`
  return `Deployments made for pull requests that are closed are deleted after ${time}.`
}

/** Saved at once, since it stops what waits. */
function Forks({ project }: { project: ProjectRecord }) {
  const { save, isSaving, error } = useSave(project)
  const isOn = project.git.forks === 'approve'
  const [wanted, setWanted] = useState<boolean>()
  // From then on it shows what others change, too.
  if (wanted === isOn) setWanted(undefined)
  const change = (next: boolean) => {
    if (isSaving) return
    setWanted(next)
    save({ git: { forks: next ? 'approve' : false } })
  }
  return (
    <div className="mt-4 grid gap-2">
      <Switch
        label="Deploy pull requests of forks once an owner has approved them"
        hint={
          'Each commit by itself, built without variables, as a protected preview that never goes live. ' +
          'Off, they are passed over, and those that wait are refused.'
        }
        checked={error === null ? (wanted ?? isOn) : isOn}
        onChange={(event) => change(event.target.checked)}
      />
      {error !== null && <Problem error={error} />}
    </div>
  )
}
