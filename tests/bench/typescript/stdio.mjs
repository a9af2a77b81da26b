// `echo` over standard input and output.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { makeServer } from './tools.mjs';

serveStdio(makeServer);
