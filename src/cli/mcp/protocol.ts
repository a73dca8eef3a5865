/** The library of the protocol. The build makes a file of its own of it, which `svc mcp` alone loads. */
export { type CallToolResult, Server, type Tool } from '@modelcontextprotocol/server'
export { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
