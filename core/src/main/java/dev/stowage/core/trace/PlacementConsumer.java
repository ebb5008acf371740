package dev.stowage.core.trace;

/** What hears of each request that is replayed. */
@FunctionalInterface
public interface PlacementConsumer {

  /**
   * Takes a placement.
   *
   * @param placement where a request went
   */
  void accept(Placement placement);

  /** {@return one that does nothing} */
  static PlacementConsumer none() {
    return placement -> {};
  }
}
