package dev.stowage.trace.replay;

/**
 * What differs between runs of a program with the same settings.
 *
 * @param order the order of the addresses of new segments
 * @param completionShift the number of requests by which the work of other streams delays a free
 *     longer than in the recording
 */
record Chance(AddressOrder order, int completionShift) {

  /** The most probable run. */
  static final Chance USUAL = new Chance(AddressOrder.USUAL, 0);
}
