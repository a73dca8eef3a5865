/** The certificate of a domain, in plain words. */
import { Day } from '@/ui/time'
import type { Domain } from './state'

export function Certificate({ tls }: Pick<Domain, 'tls'>) {
  return (
    <div className="mt-2 text-dim">
      <p>
        HTTPS: <Sentence tls={tls} />
      </p>
      {tls.error && (
        <div role="status" className="mt-2 rounded-md bg-warn-soft px-3 py-2 text-text">
          <p className="break-words">{tls.error.message}</p>
          <code className="font-mono text-dim text-xs">{tls.error.reason}</code>
        </div>
      )}
    </div>
  )
}

function Sentence({ tls: { state, own, not_after_ms: notAfterMs } }: Pick<Domain, 'tls'>) {
  if (state === 'pending') return <>a certificate is on order.</>
  if (state === 'none') return <>no certificate is obtained here.</>
  if (notAfterMs === null) return <>no certificate could be obtained; it is tried again.</>
  return (
    <>
      {own ? 'your own certificate' : 'a certificate'}
      {state === 'active' ? ', valid until ' : ', which expired on '}
      <Day ms={notAfterMs} />.
    </>
  )
}
