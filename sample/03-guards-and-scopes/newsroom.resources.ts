import { Injectable, UseGuards } from '@nestjs/common';
import { Resource } from 'nestjs-mcp';

import { Diary } from './diary.interceptor.js';
import { EditorGuard } from './newsroom.guards.js';
import { StoriesService } from './stories.service.js';

@Injectable()
export class NewsroomResources {
  constructor(
    private readonly stories: StoriesService,
    private readonly diary: Diary,
  ) {}

  /** For every caller that the guard of the endpoint accepts. */
  @Resource({ uri: 'newsroom://front-page', description: 'What is published' })
  frontPage(): string[] {
    return this.stories.published().map(({ headline, author }) => `${headline} (${author})`);
  }

  @Resource({ uri: 'newsroom://diary', description: 'Who did what; for editors' })
  @UseGuards(EditorGuard)
  readDiary(): readonly string[] {
    return this.diary.lines;
  }
}
