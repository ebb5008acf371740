package dev.stowage.trace.replay;

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
    return None.INSTANCE;
  }

  /** A consumer that does nothing, so that a replay need not compute placements. */
  enum None implements PlacementConsumer {
    /** The only one. */
    INSTANCE;

    @Override
    public void accept(Placement placement) {}
  }
}
