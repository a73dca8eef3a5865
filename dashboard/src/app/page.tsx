import { Home } from '@/views/home'

export default function Page() {
  return <Home />
}
