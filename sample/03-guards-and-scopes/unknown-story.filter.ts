import { Catch, type ExceptionFilter } from '@nestjs/common';
import { toolError, type ToolResult } from 'nestjs-mcp';

import { UnknownStoryError } from './stories.service.js';

/** Without this filter, clients would get "Internal error", and a model could not correct itself. */
@Catch(UnknownStoryError)
export class UnknownStoryFilter implements ExceptionFilter<UnknownStoryError> {
  catch({ message }: UnknownStoryError): ToolResult {
    return toolError(`${message}. Stories have the numbers that write_story returned.`);
  }
}
