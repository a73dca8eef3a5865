/** Whether a webhook receives events. */
import type { Outputs } from '@/lib/api'
import { Badge } from '@/ui/badge'

type WebhookRecord = Outputs['webhooks']['list']['data'][number]

const reasons: Record<string, string> = {
  gone: 'Off: the receiver is gone',
  failing: 'Off: nothing but failures for 5 days',
}

export function WebhookState({ webhook }: { webhook: WebhookRecord }) {
  const { enabled, disabled_reason, failing_since_ms } = webhook
  if (!enabled) return <Badge tone="bad">{reasons[disabled_reason ?? ''] ?? 'Off'}</Badge>
  return failing_since_ms === null ? <Badge tone="good">On</Badge> : <Badge tone="warn">Failing</Badge>
}
