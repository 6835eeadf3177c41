import { expect, it } from '@jest/globals';

import { findIconFault } from '../../../lib/model/icon.rules.js';

it.each([
  [[]],
  [[{ src: 'https://example.com/a.png' }]],
  [[{ src: 'HTTPS://example.com/a.svg?x=1', sizes: [] }]],
  [[{ src: 'data:image/png;base64,AQID', sizes: ['1x1', '512x256', 'any'], theme: 'light' }]],
  [[{ src: 'https://example.com/a', mimeType: 'image/svg+xml; charset=utf-8', theme: undefined }]],
])('takes %j', (icons) => {
  expect(findIconFault(icons)).toBeUndefined();
});

it.each<[unknown, string]>([
  [[{ src: 'http://example.com/a.png' }], '[0].src'],
  [[{ src: 'https://' }], '[0].src'],
  [[{ src: 'https://a/b c' }], '[0].src'],
  [[{ src: 'data:nothing' }], '[0].src'],
  [[{ src: 'ftp://a/b' }], '[0].src'],
  [[{ src: 'file:///a' }], '[0].src'],
  [[{ src: ' javascript:alert(1)' }], '[0].src'],
  [[{ src: 5 }], '[0].src'],
  [[{ mimeType: 'image/png' }], '[0].src'],
  [[{ src: 'data:,', mimeType: '' }], '[0].mimeType'],
  [[{ src: 'data:,', sizes: ['0x1'] }], '[0].sizes'],
  [[{ src: 'data:,', sizes: ['1X1'] }], '[0].sizes'],
  [[{ src: 'data:,', sizes: [48] }], '[0].sizes'],
  [[{ src: 'data:,', sizes: 'any' }], '[0].sizes'],
  [[{ src: 'data:,' }, { src: 'data:,', theme: 'Dark' }], '[1].theme'],
  [[{ src: 'data:,', alt: 'x' }], '[0].alt'],
  [[null], '[0]'],
  ['data:,', ''],
])('refuses %j at "%s"', (icons, place) => {
  expect(findIconFault(icons)).toEqual({ place, reason: expect.stringMatching(/^(?:it must|this option) .+\.$/) });
});
