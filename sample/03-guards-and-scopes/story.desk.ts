import { Inject, Injectable, Scope, UnauthorizedException } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';

import type { NewsroomRequest } from './newsroom.guards.js';
import { StoriesService, type Story } from './stories.service.js';

/** Request-scoped: created for each call, with the request that the guards got. */
@Injectable({ scope: Scope.REQUEST })
export class StoryDesk {
  readonly owner: string;

  constructor(
    @Inject(REQUEST) { mcpAuth }: NewsroomRequest,
    private readonly stories: StoriesService,
  ) {
    if (mcpAuth === undefined) throw new UnauthorizedException('Nobody sits at this desk');
    this.owner = mcpAuth.name;
  }

  write(headline: string): Story {
    return this.stories.write(this.owner, headline);
  }

  drafts(): readonly Story[] {
    return this.stories.draftsOf(this.owner);
  }
}
