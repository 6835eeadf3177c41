import type { Type } from '@nestjs/common';

import type { Dialect } from './dialect.js';
import { Dialect20260728 } from './v2026-07-28/dialect.js';

/** The dialect that every server of this process speaks. */
export const CurrentDialect: Type<Dialect> = Dialect20260728;
