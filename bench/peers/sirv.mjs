/** sirv as it is meant for production: the directory is read once, at the start. Argument: directory. */
import { createServer } from 'node:http'
import sirv from 'sirv'

const server = createServer(sirv(process.argv[2], { etag: true }))
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
