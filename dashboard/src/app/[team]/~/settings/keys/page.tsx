import { Keys } from '@/views/settings/keys'

export default function Page() {
  return <Keys />
}
