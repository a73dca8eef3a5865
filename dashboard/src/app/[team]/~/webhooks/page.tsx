import { Webhooks } from '@/views/webhooks/webhooks'

export default function Page() {
  return <Webhooks />
}
