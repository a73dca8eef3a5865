'use client'
/** The query for lines of the log, as the URL has it. */
import { useMemo } from 'react'
import type { LogFilters } from '@/lib/follow-logs'
import { useRequiredRoute } from '@/lib/route'
import { useUrlState } from '@/lib/url-state'

export const kinds = ['request', 'build', 'runtime', 'git', 'audit'] as const
export const levels = ['debug', 'info', 'warn', 'error'] as const

/** Ranges that end now, in milliseconds. */
export const ranges: Record<string, { label: string; ms: number }> = {
  '15m': { label: '15 minutes', ms: 900_000 },
  '1h': { label: 'An hour', ms: 3_600_000 },
  '24h': { label: '24 hours', ms: 86_400_000 },
  '7d': { label: '7 days', ms: 604_800_000 },
}

const oneOf = <T extends string>(all: readonly T[], text: string): T | undefined =>
  all.find((each) => each === text)

/** Whether it is a status such as `404`, or a class of them such as `4xx`. */
export const isStatus = (text: string) => /^[1-5](xx|\d\d)$/.test(text)

/** The filters, and the state of the URL. */
export function useLogQuery() {
  const { project: own } = useRequiredRoute()
  const url = useUrlState()
  const [kind, level] = [oneOf(kinds, url.get('kind')), oneOf(levels, url.get('level'))]
  const [q, deployment, range] = [url.get('q'), url.get('deployment'), url.get('range')]
  const ofRequests = kind === undefined || kind === 'request'
  const status = ofRequests && isStatus(url.get('status')) ? url.get('status') : ''
  const host = ofRequests ? url.get('host') : ''
  const project = own ?? url.get('project')
  const filters = useMemo((): LogFilters => {
    const ms = ranges[range]?.ms
    return {
      ...(kind && { kind }),
      // Audit lines have no level but info, and a status has its own.
      ...(level && kind !== 'audit' && status === '' && { level }),
      ...(status && { status }),
      ...(host && { host }),
      ...(project && { project }),
      ...(deployment && { deployment }),
      ...(q && { q }),
      ...(ms !== undefined && { since_ms: Date.now() - ms }),
    }
  }, [kind, level, status, host, project, deployment, q, range])
  return { filters, url }
}
