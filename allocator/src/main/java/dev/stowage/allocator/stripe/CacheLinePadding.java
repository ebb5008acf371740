package dev.stowage.allocator.stripe;

/**
 * Unused fields before the fields of a subclass, so that no other object is in their cache lines.
 *
 * <p>Otherwise, threads that write to different objects would take the lines from each other. The
 * collector moves objects that are used together next to each other.
 */
public abstract class CacheLinePadding {

  /** Fills the space after the header, which a field of a subclass would get. */
  int p00;

  /** Two lines, since processors fetch them in pairs. */
  long p01;

  long p02;
  long p03;
  long p04;
  long p05;
  long p06;
  long p07;
  long p08;
  long p09;
  long p10;
  long p11;
  long p12;
  long p13;
  long p14;
  long p15;
  long p16;

  /** Creates the unused fields. */
  protected CacheLinePadding() {}
}
