package dev.stowage.trace;

/** A consumer of the placements of a replay. */
@FunctionalInterface
public interface PlacementConsumer {

  /**
   * Accepts the placement of a request.
   *
   * @param placement the placement
   */
  void accept(Placement placement);

  /** {@return a consumer that does nothing} */
  static PlacementConsumer none() {
    return NoPlacements.INSTANCE;
  }
}
