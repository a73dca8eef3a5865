'use client'
/** Deletes a project. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { lazy, Suspense, useState } from 'react'
import { useTRPC } from '@/lib/api'
import { teamPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import { Button } from '@/ui/button'
import { Section } from '@/ui/card'
import type { ProjectRecord } from './use-save'

const Confirm = lazy(() => import('@/ui/dialog').then((module) => ({ default: module.Confirm })))

export function DeleteProject({ project, isOwner }: { project: ProjectRecord; isOwner: boolean }) {
  const { team } = useRequiredRoute()
  const trpc = useTRPC()
  const queries = useQueryClient()
  const router = useRouter()
  const [isOpen, setOpen] = useState(false)
  const remove = useMutation(
    trpc.projects.delete.mutationOptions({
      onSuccess() {
        router.push(teamPath(team))
        queries.invalidateQueries(trpc.projects.pathFilter())
      },
    }),
  )
  return (
    <Section
      title="Delete the project"
      note="With its deployments, variables and addresses. Its domains stay with the team, and lead nowhere."
    >
      <Button
        look="danger"
        disabled={!isOwner}
        title={isOwner ? undefined : 'Only owners delete projects.'}
        onClick={() => setOpen(true)}
      >
        Delete {project.name}
      </Button>
      {isOpen && (
        <Suspense>
          <Confirm
            title={`Delete ${project.name}?`}
            note="Its sites are gone at once. This can't be undone."
            name={project.name}
            action="Delete the project"
            danger
            busy={remove.isPending}
            error={remove.error}
            onClose={() => setOpen(false)}
            onSubmit={() => remove.mutate({ project: project.id })}
          />
        </Suspense>
      )}
    </Section>
  )
}
