package dev.stowage.trace.replay;

/**
 * What differs by chance between runs of a program with the same settings.
 *
 * @param order the order of the addresses of new segments
 * @param completionShift the delay of a free that waits for other streams, as a number of requests
 *     more than in the recording
 */
record Chance(AddressOrder order, int completionShift) {

  /** The most probable run. */
  static final Chance USUAL = new Chance(AddressOrder.USUAL, 0);
}
