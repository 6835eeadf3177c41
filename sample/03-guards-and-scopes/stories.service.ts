import { Injectable } from '@nestjs/common';

export interface Story {
  readonly number: number;
  readonly author: string;
  readonly headline: string;
  readonly isPublished: boolean;
}

/** An error of the domain; the filter translates it for clients. */
export class UnknownStoryError extends Error {
  constructor(readonly number: number) {
    super(`There is no story ${number}`);
  }
}

/** An ordinary service: it knows nothing about MCP. */
@Injectable()
export class StoriesService {
  private readonly stories: Story[] = [];

  write(author: string, headline: string): Story {
    const story = { number: this.stories.length + 1, author, headline, isPublished: false };
    this.stories.push(story);
    return story;
  }

  publish(number: number): Story {
    const index = this.stories.findIndex((story) => story.number === number);
    const story = this.stories[index];
    if (story === undefined) throw new UnknownStoryError(number);
    const published = { ...story, isPublished: true };
    this.stories[index] = published;
    return published;
  }

  draftsOf(author: string): readonly Story[] {
    return this.stories.filter((story) => story.author === author && !story.isPublished);
  }

  published(): readonly Story[] {
    return this.stories.filter(({ isPublished }) => isPublished);
  }
}
