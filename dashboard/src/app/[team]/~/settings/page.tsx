import { General } from '@/views/settings/general'

export default function Page() {
  return <General />
}
