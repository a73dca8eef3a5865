import { Webhook } from '@/views/webhooks/webhook'

/** A placeholder: the server sends this page for every webhook. */
export const generateStaticParams = () => [{ webhook: '_' }]

export default function Page() {
  return <Webhook />
}
