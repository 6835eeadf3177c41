import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';

import { Diary } from './diary.interceptor.js';
import { TokenGuard } from './newsroom.guards.js';
import { NewsroomResources } from './newsroom.resources.js';
import { NewsroomTools } from './newsroom.tools.js';
import { StoriesService } from './stories.service.js';
import { StoryDesk } from './story.desk.js';

@Module({
  imports: [
    McpModule.forRoot({
      name: 'newsroom',
      version: '1.0.0',
      instructions: 'Write a draft with write_story; an editor publishes it with publish_story.',
      http: { guards: [TokenGuard] },
    }),
  ],
  providers: [Diary, NewsroomResources, NewsroomTools, StoriesService, StoryDesk],
})
export class AppModule {}
