const REVISION = '2026-07-28';

const FORMS = { elicitation: { form: {} } };
const TRIP = { name: 'book_trip', arguments: { city: 'Oslo' } };
const TRAVELLER = { traveller: { action: 'accept', content: { name: 'Ada', bags: 1 } } };
const CONSENT = { consent: { action: 'accept', content: { agreed: true } } };

/** Stands in the printed lines where the state of the line before goes. */
const STATE = '@STATE@';

/** What to paste, line by line into one terminal: each needs what the one before was given. */
export function connectionHints(url: string): string {
  return [
    `MCP endpoint: ${url}`,
    '',
    'Ask for a trip, as a client that can show forms:',
    keepingState(curlLine(url, TRIP, FORMS)),
    '',
    'Tell who travels:',
    keepingState(curlLine(url, { ...TRIP, inputResponses: TRAVELLER, requestState: STATE }, FORMS)),
    '',
    'Agree to the price:',
    curlLine(url, { ...TRIP, inputResponses: CONSENT, requestState: STATE }, FORMS),
    '',
    'Ask as a client that can show nothing:',
    curlLine(url, TRIP, {}),
  ].join('\n');
}

/** Shows the answer, and keeps its state for the next line. */
function keepingState(line: string): string {
  return `ANSWER=$(${line}); echo "$ANSWER"; STATE=$(echo "$ANSWER" | sed 's/.*"requestState":"\\([^"]*\\)".*/\\1/')`;
}

function curlLine(url: string, params: Readonly<Record<string, unknown>>, capabilities: object): string {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': REVISION,
    'Mcp-Method': 'tools/call',
    'Mcp-Name': TRIP.name,
  };
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, _meta: envelope } });
  const options = Object.entries(headers).map(([header, value]) => `-H '${header}: ${value}'`);
  return ['curl', '-s', url, ...options, '-d', `'${body.replace(STATE, `'"$STATE"'`)}'`].join(' ');
}
