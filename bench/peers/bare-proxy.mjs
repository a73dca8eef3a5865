/** The least that passes requests on to a server: `node:http` alone. Argument: the server's socket. */
import { Agent, createServer, request } from 'node:http'

const [socketPath] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })

const server = createServer((visitor, response) => {
  const { method, url: path, headers } = visitor
  const passed = request({ socketPath, agent, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers)
    answer.pipe(response)
  })
  visitor.pipe(passed)
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
