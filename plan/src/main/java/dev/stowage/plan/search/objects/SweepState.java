package dev.stowage.plan.search.objects;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A state of {@link ObjectSweep}: the objects after the choices for all records before the next
 * one.
 *
 * <p>Equality ignores the choices that led to a state.
 */
final class SweepState implements Comparable<SweepState> {

  /** The previous state; null for the first one. */
  final @Nullable SweepState before;

  /** The object chosen for the last record. */
  final int chosen;

  /** The next record. */
  final int next;

  /** The sizes of the objects, descending. */
  final long[] sizes;

  /** The last rank at which each object is in use, or {@link SweepObjects#FREE}. */
  final int[] busyUntil;

  /** The growth of all objects so far. */
  final long grownBytes;

  /** A lower bound of the growth of every plan that this state leads to. */
  final long boundBytes;

  /** The number of states created before this one. */
  final int number;

  SweepState(
      @Nullable SweepState before,
      int chosen,
      int next,
      long[] sizes,
      int[] busyUntil,
      long grownBytes,
      long boundBytes,
      int number) {
    this.before = before;
    this.chosen = chosen;
    this.next = next;
    this.sizes = sizes;
    this.busyUntil = busyUntil;
    this.grownBytes = grownBytes;
    this.boundBytes = boundBytes;
    this.number = number;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SweepState that
        && next == that.next
        && Arrays.equals(busyUntil, that.busyUntil)
        && Arrays.equals(sizes, that.sizes);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Arrays.hashCode(busyUntil) + Arrays.hashCode(sizes)) + next;
  }

  /** By ascending bound, then by descending number of placed records, then the latest first. */
  @Override
  public int compareTo(SweepState other) {
    int byBound = Long.compare(boundBytes, other.boundBytes);
    int byNext = byBound != 0 ? byBound : Integer.compare(other.next, next);
    return byNext != 0 ? byNext : Integer.compare(other.number, number);
  }
}
