import { Status } from '@/views/status/status'

export default function Page() {
  return <Status />
}
