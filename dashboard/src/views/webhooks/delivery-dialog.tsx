'use client'
/** A delivery's request and the response of its last attempt. */
import { Copyable, Snippet } from '@/ui/copy'
import { Dialog } from '@/ui/dialog'
import { type Delivery, Outcome } from './outcome'

export function DeliveryDialog({ delivery, onClose }: { delivery: Delivery; onClose: () => void }) {
  return (
    <Dialog title={delivery.type} onClose={onClose} wide>
      <div className="grid gap-4">
        <dl className="grid gap-2 sm:grid-cols-[8rem_1fr]">
          <dt className="text-dim">Delivery</dt>
          <dd className="min-w-0">
            <Copyable text={delivery.id} label="Copy the delivery's id" />
          </dd>
          <dt className="text-dim">webhook-id</dt>
          <dd className="min-w-0">
            <Copyable text={delivery.event} label="Copy the event's id" />
          </dd>
          <dt className="text-dim">Last response</dt>
          <dd className="min-w-0">
            {delivery.attempts === 0 ? 'none yet' : <Outcome delivery={delivery} />}
          </dd>
        </dl>
        <div className="min-w-0">
          <h3 className="mb-1 font-medium">What was sent</h3>
          <Snippet text={indented(delivery.body)} label="Copy the body" />
        </div>
      </div>
    </Dialog>
  )
}

/** The signature is of the body as it was sent, without these spaces. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
