package dev.stowage.trace;

/** A consumer that does nothing, so that a replay need not compute placements. */
enum NoPlacements implements PlacementConsumer {
  INSTANCE;

  @Override
  public void accept(Placement placement) {}
}
