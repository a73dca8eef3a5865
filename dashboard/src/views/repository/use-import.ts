'use client'
/** Makes a project of a repository: looks at it, connects the project, and has its branch deployed. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Client, type Inputs, type Outputs, useTRPC, useTRPCClient } from '@/lib/api'
import { problemOf } from '@/lib/api-error'
import { newSecret } from './forge-form'

type Project = Outputs['projects']['put']

export type Order = {
  name: string
  repository: Inputs['git']['inspect']['git']
  rootDirectory: string | null
  /** Other files and directories of the repository that are watched. */
  watch: string[]
  /** Whether the server makes the webhook, with the token. */
  registers: boolean
}

/** The project, with what came of each step after it was made. */
export type Imported = {
  project: Project
  secret: string
  isRegistered: boolean
  queued: Outputs['git']['deploy'] | undefined
  problems: unknown[]
}

/** The name is that of another project. */
export class NameTaken extends Error {}

export function useImport() {
  const client = useTRPCClient()
  const trpc = useTRPC()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (order: Order) => importRepository(client, order),
    onSettled: () => void queries.invalidateQueries(trpc.projects.pathFilter()),
  })
}

/** @throws TRPCClientError before anything is made, NameTaken. */
async function importRepository(client: Client, order: Order): Promise<Imported> {
  const { name, repository, rootDirectory, watch, registers } = order
  const [found] = await Promise.all([
    client.git.inspect.mutate({ git: repository }),
    requireFree(client, name),
  ])
  const secret = newSecret()
  const { production_branch: branch, ...place } = repository
  const git = {
    ...place,
    url: found.url,
    provider: found.provider,
    secret,
    root_directory: rootDirectory,
    watch,
    // Otherwise it follows the default branch, whatever that is called later.
    ...(branch !== undefined && branch !== found.default_branch && { production_branch: branch }),
  }
  const project = await client.projects.put.mutate({ project: name, git })
  const problems: unknown[] = []
  const attempt = async <T>(step: Promise<T>): Promise<T | undefined> =>
    step.catch((error: unknown) => {
      problems.push(error)
      return undefined
    })
  const queued = await attempt(client.git.deploy.mutate({ project: project.id }))
  const hook = registers ? await attempt(client.git.registerHook.mutate({ project: project.id })) : undefined
  return { project, secret, isRegistered: hook !== undefined, queued, problems }
}

async function requireFree(client: Client, name: string): Promise<void> {
  const known = await client.projects.get.query({ project: name }).catch((error: unknown) => {
    if (problemOf(error).reason === 'project_not_found') return undefined
    throw error
  })
  if (known) throw new NameTaken()
}
