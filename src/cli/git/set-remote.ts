/** Makes a server a remote of a repository, to which `git push` deploys. */

import { Failure } from '../command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { type Git, mustGit } from './run-git.ts'

export type Remote = { name: string; url: string }

/** The change that was made to the remote; `kept` for none. */
export type RemoteChange = 'added' | 'changed' | 'kept'

/**
 * Adds the remote, in the repository's own configuration; one of the name with another address is changed
 * only with `force`.
 * @throws Failure (5) that names the other address.
 */
export async function setRemote(git: Git, { name, url }: Remote, force: boolean): Promise<RemoteChange> {
  const key = `remote.${name}.url`
  const pushKey = `remote.${name}.pushurl`
  // Where there are addresses for pushes, git pushes to them alone, and to each.
  const [urls, pushUrls] = [await valuesOf(git, key), await valuesOf(git, pushKey)]
  const other = [...pushUrls, ...urls].find((each) => each !== url)
  if (other !== undefined && !force) {
    const address = withoutUser(other)
    throw new Failure(exitCodes.conflict, {
      reason: 'remote_exists',
      message: `The remote ${name} is ${address}: pass --force to change it, or --name for another.`,
    })
  }
  if (urls.length === 0) await mustGit(git, ['remote', 'add', name, url])
  else if (other !== undefined) await mustGit(git, ['config', '--local', '--replace-all', key, url])
  if (pushUrls.length > 0) await mustGit(git, ['config', '--local', '--unset-all', pushKey])
  if (other !== undefined) return 'changed'
  return urls.length === 0 ? 'added' : 'kept'
}

/**
 * Makes git ask `svc git-credential`, and no other helper, for the password of the server at `origin`. An
 * empty helper forgets those that git knows from elsewhere (gitcredentials(7)): they would be given the key,
 * to store it.
 */
export async function useCredentialHelper(git: Git, origin: string): Promise<void> {
  const key = `credential.${origin}.helper`
  await mustGit(git, ['config', '--local', '--replace-all', `credential.${origin}.useHttpPath`, 'true'])
  await mustGit(git, ['config', '--local', '--replace-all', key, ''])
  await mustGit(git, ['config', '--local', '--add', key, '!svc git-credential'])
}

/** Whether the shell that git starts for its helpers finds `svc`. */
export async function findsCommand(git: Git): Promise<boolean> {
  const { code } = await git(['-c', 'alias.finds-svc=!command -v svc', 'finds-svc'])
  return code === 0
}

async function valuesOf(git: Git, key: string): Promise<string[]> {
  const { code, output } = await git(['config', '--local', '--get-all', key])
  return code === 0 ? output.split('\n') : []
}

/** Addresses of others may have a password in them. */
function withoutUser(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1')
}
