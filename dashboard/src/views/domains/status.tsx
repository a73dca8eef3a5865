'use client'
/** The state of a domain in plain words, with the next step first. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'
import { Button } from '@/ui/button'
import { Card } from '@/ui/card'
import { Icon } from '@/ui/icons'
import { Problem } from '@/ui/problem'
import { DueTime, Time } from '@/ui/time'
import { Certificate } from './certificate'
import { type Domain, stateOf } from './state'

export function Status({ domain }: { domain: Domain }) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const verify = useMutation(
    trpc.domains.verify.mutationOptions({
      onSuccess(checked) {
        queryClient.setQueryData(trpc.domains.get.queryKey({ domain: domain.domain }), checked)
        queryClient.invalidateQueries(trpc.domains.list.pathFilter())
      },
    }),
  )
  const { title, next } = stateOf(domain)
  return (
    <Card>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-72">
          {next !== undefined && <p className="font-medium text-base">{next}</p>}
          <p className={next === undefined ? 'font-medium text-base' : 'text-dim'}>{title}</p>
          <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-dim">
            <CheckTimes domain={domain} />
          </p>
        </div>
        <Button
          look={next === undefined ? 'plain' : 'primary'}
          busy={verify.isPending}
          onClick={() => verify.mutate({ domain: domain.domain })}
        >
          <Icon name="refresh" /> Check now
        </Button>
      </div>
      {domain.error && <Finding {...domain.error} />}
      {(domain.configured || domain.tls.own) && domain.verified && <Certificate tls={domain.tls} />}
      {verify.error && (
        <div className="mt-3">
          <Problem error={verify.error} title="The domain could not be checked" />
        </div>
      )}
    </Card>
  )
}

function CheckTimes({ domain: { checked_ms, next_check_ms } }: { domain: Domain }) {
  return (
    <>
      <span>Last check: {checked_ms === null ? 'not yet' : <Time ms={checked_ms} />}</span>
      {next_check_ms !== null && (
        <span>
          Next check: <DueTime ms={next_check_ms} />
        </span>
      )}
    </>
  )
}

/** The problem that the last check found. */
function Finding({ reason, message }: { reason: string; message: string }) {
  return (
    <div role="status" className="mt-3 rounded-md bg-warn-soft px-3 py-2">
      <p className="break-words">{message}</p>
      <code className="font-mono text-dim text-xs">{reason}</code>
    </div>
  )
}
