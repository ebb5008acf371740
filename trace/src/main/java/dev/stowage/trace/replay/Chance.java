package dev.stowage.trace.replay;

/**
 * The differences between runs of a program with the same settings.
 *
 * @param order the order of the addresses of new segments
 * @param completionShift the number of requests by which a free waits longer for other streams than
 *     in the recording
 */
record Chance(AddressOrder order, int completionShift) {

  /** The most probable run. */
  static final Chance USUAL = new Chance(AddressOrder.USUAL, 0);
}
