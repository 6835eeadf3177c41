import type { Type } from '@nestjs/common';

import type { ClientCodec } from './client-codec.js';
import type { Dialect } from './dialect.js';
import { ClientCodec20260728 } from './v2026-07-28/client-codec.js';
import { Dialect20260728 } from './v2026-07-28/dialect.js';

/** The dialect that every server of this process speaks. */
export const CurrentDialect: Type<Dialect> = Dialect20260728;

/** The same from the other side. */
export const CurrentClientCodec: Type<ClientCodec> = ClientCodec20260728;
