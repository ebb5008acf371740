package dev.stowage.trace.replay;

import java.util.List;
import java.util.NavigableSet;

/**
 * An order in which a device may hand out the addresses of new segments.
 *
 * <p>Of free blocks with equal sizes, PyTorch's allocator takes the one at the lowest address. So
 * the placements of segments that a recording does not have can depend on the order.
 */
final class AddressOrder {

  private enum Kind {
    SLOTS,
    ASCENDING,
    DESCENDING,
    SCATTERED
  }

  private static final long UNIT = 2 << 20;

  /** Ascending addresses from the end of the topmost recorded segment. */
  static final AddressOrder ASCENDING = new AddressOrder(Kind.ASCENDING, UNIT, 0);

  /** The order of most runs. */
  static final AddressOrder USUAL = new AddressOrder(Kind.SLOTS, UNIT, 0);

  /** The other orders that a run may have. */
  static final List<AddressOrder> OTHERS =
      List.of(
          ASCENDING,
          new AddressOrder(Kind.DESCENDING, 32 << 20, 0),
          new AddressOrder(Kind.DESCENDING, UNIT, 0),
          new AddressOrder(Kind.SCATTERED, UNIT, 1),
          new AddressOrder(Kind.SCATTERED, UNIT, 2),
          new AddressOrder(Kind.SCATTERED, UNIT, 3));

  /** Below this address, there may be too little room for descending addresses. */
  private static final long LEAST_ROOM = 1L << 40;

  private static final long ABOVE_ALL = 1L << 60;

  /*
   * The scattered addresses are the multiples of 2^40 between 2^60 and 2^61, each once, in an order
   * that a multiplication by an odd number gives.
   */
  private static final int SCATTER_BITS = 40;
  private static final long SCATTER_MASK = (1L << 20) - 1;
  private static final long SCATTER_FACTOR = 0x9E375;

  private final Kind kind;
  private final long slotBytes;
  private final int seed;

  private AddressOrder(Kind kind, long slotBytes, int seed) {
    this.kind = kind;
    this.slotBytes = slotBytes;
    this.seed = seed;
  }

  /**
   * {@return the addresses of new segments, outside of the recorded segments}
   *
   * @param recordedStarts the addresses at which recorded segments start
   * @param top the end of the topmost recorded segment
   */
  Addresses beside(NavigableSet<Long> recordedStarts, long top) {
    long lowest = recordedStarts.isEmpty() ? 0 : recordedStarts.first();
    return new Addresses(roundUp(top, UNIT), lowest < LEAST_ROOM ? ABOVE_ALL : lowest & -slotBytes);
  }

  private static long roundUp(long bytes, long unit) {
    return bytes + unit - 1 & -unit;
  }

  /** The addresses of new segments of one device. */
  final class Addresses {

    private final DriverSlots slots;
    private long above;
    private long below;
    private long count;

    private Addresses(long above, long below) {
      slots = new DriverSlots(below);
      this.above = above;
      this.below = below;
    }

    /** Takes note that a range of addresses is free again. */
    void free(long start) {
      slots.free(start);
    }

    /** {@return the start of a range of addresses} */
    long next(long bytes) {
      return switch (kind) {
        case SLOTS -> slots.allocate(bytes);
        case ASCENDING -> nextAbove(bytes);
        case DESCENDING -> below -= roundUp(bytes, slotBytes);
        case SCATTERED ->
            ABOVE_ALL + ((seed + ++count * SCATTER_FACTOR * seed & SCATTER_MASK) << SCATTER_BITS);
      };
    }

    /** {@return the start of a range of addresses above all earlier ones of this method} */
    long nextAbove(long bytes) {
      long start = above;
      above += roundUp(bytes, UNIT);
      return start;
    }
  }
}
