import { Module } from '@nestjs/common';

/** Holds the components of one `McpModule.forFeature()`. */
@Module({})
export class McpFeatureModule {}
