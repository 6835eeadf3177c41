import { Logger } from '@nestjs/common';

/** Says once for an endpoint that something of the app reads its bodies, which works but is not what was asked for. */
export class ConsumedBodyAlarm {
  private readonly logger = new Logger('McpModule');
  private raised = false;

  constructor(private readonly path: string) {}

  raise(): void {
    if (this.raised) return;
    this.raised = true;
    this.logger.warn(
      `The app reads bodies before the MCP endpoint ${this.path} does, so limits such as http.maxBodyBytes do not hold, and ids that are long numbers may change. Let its body parser skip ${this.path}.`,
    );
  }
}
