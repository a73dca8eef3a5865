'use client'
/** The API keys of a team. */
import { useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type Outputs, useTRPC } from '@/lib/api'
import { byCursor } from '@/lib/pages'
import { useRole } from '@/lib/role'
import { visibleLine } from '@/lib/visible'
import { Badge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { Empty } from '@/ui/empty'
import { Pages } from '@/ui/loaded'
import { SameAs } from '@/ui/same-as'
import { Cell, Row, Table } from '@/ui/table'
import { Time } from '@/ui/time'
import { KeyLimits } from './key-limits'
import { RevokeKey } from './revoke-key'
import { SettingsPage } from './settings-page'

const NewKey = lazy(() => import('./new-key').then((module) => ({ default: module.NewKey })))

const perPage = 50

type KeyDetails = Outputs['tokens']['keyDetails']['data'][number]

export function Keys() {
  const trpc = useTRPC()
  const role = useRole()
  const [isCreating, setCreating] = useState(false)
  const keys = useInfiniteQuery(trpc.tokens.listKeys.infiniteQueryOptions({ limit: perPage }, byCursor))
  const details = useDetails(keys.data?.pageParams ?? [])
  return (
    <SettingsPage
      title="API keys"
      actions={
        <>
          <SameAs
            isKnown={true}
            method="GET"
            path={['v1', 'apikeys']}
            svc={{ words: ['keys'] }}
            client={{ call: 'tokens.listKeys.query', input: {} }}
          />
          <Button look="primary" onClick={() => setCreating(true)}>
            New key
          </Button>
        </>
      }
    >
      <p className="mb-4 max-w-prose text-dim">
        The svc command, CI and your own programs call the API with a key.
        {role === 'member' && ' You see your own keys; owners see those of everybody.'}
      </p>
      <Pages query={keys} empty={<Empty title="No keys">A new key works at once.</Empty>}>
        {(items) => (
          <Table
            label="API keys"
            columns={['Name', 'Whose', 'Starts with', 'Role', 'Limits', 'Created', 'Last used', '']}
          >
            {items.map(({ id, name, prefix, role: keyRole, created_ms, last_used_ms }) => (
              <Row key={id}>
                <Cell className="max-w-56">
                  <span className="block truncate font-medium" title={name}>
                    {name}
                  </span>
                </Cell>
                <Cell className="max-w-48">
                  <span className="block truncate">
                    {visibleLine(details.get(id)?.created_by_name ?? '')}
                  </span>
                </Cell>
                <Cell>
                  <code className="font-mono text-xs">{prefix}</code>
                </Cell>
                <Cell>
                  <Badge>{keyRole}</Badge>
                </Cell>
                <Cell>
                  <KeyLimits details={details.get(id)} />
                </Cell>
                <Cell>
                  <Time ms={created_ms} />
                </Cell>
                <Cell>
                  {last_used_ms === 0 ? <span className="text-dim">never</span> : <Time ms={last_used_ms} />}
                </Cell>
                <Cell className="text-right">
                  <RevokeKey id={id} name={name} />
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </Pages>
      {isCreating && (
        <Suspense>
          <NewKey onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </SettingsPage>
  )
}

/** Whose the keys of these pages are, and what they are limited to, by the keys' ids. */
function useDetails(cursors: (string | null | undefined)[]): Map<string, KeyDetails> {
  const trpc = useTRPC()
  return useQueries({
    queries: cursors.map((cursor) =>
      trpc.tokens.keyDetails.queryOptions({ limit: perPage, ...(cursor && { cursor }) }),
    ),
    combine: (pages) => new Map(pages.flatMap(({ data }) => data?.data ?? []).map((key) => [key.id, key])),
  })
}
