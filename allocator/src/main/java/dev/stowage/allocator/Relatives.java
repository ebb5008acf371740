package dev.stowage.allocator;

/**
 * The bytes that the other members of a family hold: private pools below an allocator, and the
 * allocators above a private pool. The lock of the family guards all of them.
 */
interface Relatives {

  /** {@return the bytes that private pools hold, which count for the limit of this member} */
  long poolBytes();

  /** {@return the lowest limit above; {@link Long#MAX_VALUE} if there is none} */
  long limitBytes();

  /** {@return the bytes that the limits above leave; {@link Long#MAX_VALUE} if there are none} */
  long leftBytes();

  /** {@return true if there is a limit above} */
  default boolean isLimitedAbove() {
    return leftBytes() < Long.MAX_VALUE / 2;
  }

  /** Returns free memory of the members above, and {@return true if there was any} */
  boolean trimAbove();

  /** Notes that the regions of this member have more bytes; fewer if the number is negative. */
  void noteHeld(long moreBytes);

  /** {@return these numbers as they are now, for reading without the lock} */
  default Relatives copy() {
    return new Copy(poolBytes(), limitBytes(), leftBytes());
  }

  /** {@return the relatives of an allocator without private pools} */
  static Relatives none() {
    return new Copy(0, Long.MAX_VALUE, Long.MAX_VALUE);
  }

  /** Numbers that do not change. */
  record Copy(long poolBytes, long limitBytes, long leftBytes) implements Relatives {
    @Override
    public boolean trimAbove() {
      return false;
    }

    @Override
    public void noteHeld(long moreBytes) {}
  }
}
