import { Injectable, UseFilters, UseGuards, UseInterceptors } from '@nestjs/common';
import { RequireRoles, Tool, type ToolArgs } from 'nestjs-mcp';
import { z } from 'zod';

import { DiaryInterceptor } from './diary.interceptor.js';
import { ReporterGuard } from './newsroom.guards.js';
import { StoriesService, type Story } from './stories.service.js';
import { StoryDesk } from './story.desk.js';
import { UnknownStoryFilter } from './unknown-story.filter.js';

const draft = z.object({ headline: z.string().min(1).max(80) });

const numbered = z.object({ number: z.int().describe('Number of the story') });

/** All enhancers of Nest on methods that are not routes: the same decorators, in the same order. */
@Injectable()
@UseGuards(ReporterGuard)
@UseInterceptors(DiaryInterceptor)
@UseFilters(UnknownStoryFilter)
export class NewsroomTools {
  constructor(
    private readonly desk: StoryDesk,
    private readonly stories: StoriesService,
  ) {}

  @Tool({ description: 'Write a story, as a draft on your desk', input: draft })
  writeStory({ headline }: ToolArgs<typeof draft>): Story {
    return this.desk.write(headline);
  }

  @Tool({ description: 'List the drafts on your desk', annotations: { readOnlyHint: true } })
  myDrafts(): { owner: string; headlines: string[] } {
    return { owner: this.desk.owner, headlines: this.desk.drafts().map(({ headline }) => headline) };
  }

  @Tool({ description: 'Put a story on the front page', input: numbered })
  @RequireRoles('editor')
  publishStory({ number }: ToolArgs<typeof numbered>): Story {
    return this.stories.publish(number);
  }
}
