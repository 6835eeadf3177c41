import { prepareSetter } from './header.setters.js';
import { responseFacade } from './response.facade.js';
import { HARMLESS } from './response.stand-in.js';

/**
 * The headers that guards set while a refusal of theirs would be concealed: kept until it is known that nothing is, since
 * each of them would tell that there is something to guard. Until then the response does not show them.
 */
export class HeldHeaders {
  private held: (() => void)[] | undefined = [];

  /** The HTTP response as the enhancers and the handler of one call see it. */
  readonly standInFor = responseFacade(HARMLESS, (...call) => {
    const apply = prepareSetter(...call);
    if (this.held === undefined) apply();
    else this.held.push(apply);
  });

  /** From now on headers are set at once. */
  release(): void {
    const { held } = this;
    this.held = undefined;
    for (const apply of held ?? []) apply();
  }
}
