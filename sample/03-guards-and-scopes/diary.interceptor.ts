import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { McpExecutionContext } from 'nestjs-mcp';
import { finalize, type Observable } from 'rxjs';

import type { NewsroomRequest } from './newsroom.guards.js';

@Injectable()
export class Diary {
  readonly lines: string[] = [];
}

/** Records every call and its outcome. Calls that a guard refused do not get here. */
@Injectable()
export class DiaryInterceptor implements NestInterceptor {
  constructor(private readonly diary: Diary) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { name } = McpExecutionContext.create(context).getComponent();
    const { mcpAuth } = context.switchToHttp().getRequest<NewsroomRequest>();
    return next.handle().pipe(finalize(() => this.diary.lines.push(`${mcpAuth?.name}: ${name}`)));
  }
}
