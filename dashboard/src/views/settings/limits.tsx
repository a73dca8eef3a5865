'use client'
/** The limits of the team's plan, and how much of them is used. */
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'
import { size, wholeNumber } from '@/lib/format'
import { Card, Section } from '@/ui/card'
import { Loaded } from '@/ui/loaded'

export function Limits() {
  const trpc = useTRPC()
  const overview = useQuery(trpc.observability.overview.queryOptions({}))
  return (
    <Section
      title="Plan and limits"
      note={
        <>
          The operator of this server sets the plan. See{' '}
          <a href="/docs/limits" className="text-accent underline">
            Limits
          </a>
          .
        </>
      }
    >
      <Loaded query={overview}>
        {({ plan, rate_limit, storage, projects, domains, webhooks }) => (
          <Card>
            <dl className="grid gap-4 sm:grid-cols-2">
              <Fact label="Plan" value={plan} />
              <Fact
                label="Your requests in the dashboard"
                value={
                  `${wholeNumber(rate_limit.per_second)} a second, ` +
                  `${wholeNumber(rate_limit.burst)} at once`
                }
              />
              <div>
                <dt className="text-dim">Files stored</dt>
                <dd>
                  {size(storage.used_bytes)}
                  {storage.limit_bytes !== null && ` of ${size(storage.limit_bytes)}`}
                  {storage.limit_bytes !== null && (
                    <meter
                      aria-label="Storage used"
                      min={0}
                      max={storage.limit_bytes}
                      value={storage.used_bytes}
                      className="mt-1 block h-2 w-full"
                    />
                  )}
                </dd>
              </div>
              <Fact
                label="Projects, domains, webhooks"
                value={[projects, domains.total, webhooks].map(wholeNumber).join(', ')}
              />
            </dl>
          </Card>
        )}
      </Loaded>
    </Section>
  )
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-dim">{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}
