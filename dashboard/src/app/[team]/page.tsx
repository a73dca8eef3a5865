import { Overview } from '@/views/overview/overview'

export default function Page() {
  return <Overview />
}
