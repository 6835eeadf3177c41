import {
  ForbiddenException,
  Injectable,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';

export interface Account {
  readonly name: string;
  readonly roles: readonly string[];
}

export interface NewsroomRequest {
  readonly headers: { readonly authorization?: string };
  mcpAuth?: Account;
}

/** A real app would verify tokens. */
const ACCOUNTS: ReadonlyMap<string | undefined, Account> = new Map([
  ['Bearer token-of-zoe', { name: 'Zoë', roles: ['reporter', 'editor'] }],
  ['Bearer token-of-tom', { name: 'Tom', roles: ['reporter'] }],
  ['Bearer token-of-gil', { name: 'Gil', roles: [] }],
]);

/**
 * Identifies the caller. It guards the endpoint, so it runs before the body is read. All later checks use the value
 * that it stores in `mcpAuth`.
 */
@Injectable()
export class TokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<NewsroomRequest>();
    const account = ACCOUNTS.get(request.headers.authorization);
    if (account === undefined) throw new UnauthorizedException('Send a token that the newsroom knows');
    request.mcpAuth = account;
    return true;
  }
}

/** Decides what a caller may do. It gets the same request as the guard of the endpoint. */
@Injectable()
export class ReporterGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return requireRole(context, 'reporter', 'Only people of the newsroom may do that');
  }
}

@Injectable()
export class EditorGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return requireRole(context, 'editor', 'Only editors may do that');
  }
}

function requireRole(context: ExecutionContext, role: string, otherwise: string): true {
  const { mcpAuth } = context.switchToHttp().getRequest<NewsroomRequest>();
  if (mcpAuth?.roles.includes(role) !== true) throw new ForbiddenException(otherwise);
  return true;
}
