package dev.stowage.allocator;

import dev.stowage.allocator.internal.ByteCount;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The account of a budget: the bytes that are charged to it. */
final class BudgetAccount {

  /*
   * Each level keeps one number:
   *
   *   used = bytes charged here + for each child the larger of its reservation and its used bytes
   *
   * A charge propagates from the account where it is made to the root. Each level subtracts the
   * unused rest of its reservation. Nothing changes unless the charge is within the limits of all
   * levels.
   *
   * The root is the lock of a tree. A thread that holds the allocator's lock may lock a root, never
   * the other way round. No thread locks two roots.
   */

  private static final int CHILDREN_SHOWN = 3;

  private final String path;
  private final Optional<BudgetAccount> parent;
  private final BudgetAccount root;
  private final long reservedBytes;

  /** Written with the lock of the root. */
  private volatile long limitBytes;

  /** In the order in which they were opened. */
  private final Set<BudgetAccount> openChildren = new LinkedHashSet<>();

  private long usedBytes;
  private long peakBytes;
  private boolean closed;

  /**
   * Creates an account to which nothing is charged.
   *
   * @throws IllegalArgumentException unless {@code 0 <= reservedBytes <= limitBytes}
   */
  BudgetAccount(String path, Optional<BudgetAccount> parent, long reservedBytes, long limitBytes) {
    if (reservedBytes < 0 || limitBytes < reservedBytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "budget '%s' needs 0 <= reservedBytes <= limitBytes: reservedBytes=%d, limitBytes=%d",
              path,
              reservedBytes,
              limitBytes));
    }
    this.path = path;
    this.parent = parent;
    this.root = parent.isPresent() ? parent.get().root : this;
    this.reservedBytes = reservedBytes;
    this.limitBytes = limitBytes;
  }

  /** Charges the reservation of a new child, or {@return the account whose limit is exceeded} */
  Optional<Exhausted> open(BudgetAccount child) {
    synchronized (root) {
      Optional<Exhausted> exhausted = tryCharge(child.reservedBytes);
      if (exhausted.isEmpty()) {
        openChildren.add(child);
        notePeak();
      }
      return exhausted;
    }
  }

  /**
   * Charges this account and those above; or charges none and {@return the lowest account whose
   * limit is exceeded}
   */
  Optional<Exhausted> tryCharge(long bytes) {
    synchronized (root) {
      checkOpen();
      Optional<Exhausted> exhausted = exhaustedBy(bytes);
      if (exhausted.isEmpty()) {
        add(bytes);
      }
      return exhausted;
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException(String.format(Locale.ROOT, "budget '%s' is closed", path));
    }
  }

  private Optional<Exhausted> exhaustedBy(long bytes) {
    if (bytes > limitBytes - usedBytes) {
      return Optional.of(new Exhausted(this, bytes, usedBytes, limitBytes));
    }
    return parent.isPresent() ? parent.get().exhaustedBy(unreservedBytes(bytes)) : Optional.empty();
  }

  private void add(long bytes) {
    long beyond = unreservedBytes(bytes);
    usedBytes += bytes;
    if (parent.isPresent()) {
      parent.get().add(beyond);
    }
  }

  private void subtract(long bytes) {
    usedBytes -= bytes;
    if (parent.isPresent()) {
      parent.get().subtract(unreservedBytes(bytes));
    }
  }

  /** {@return the part of a charge that exceeds the reservation and is charged to the parent} */
  private long unreservedBytes(long bytes) {
    return Math.max(reservedBytes, usedBytes + bytes) - Math.max(reservedBytes, usedBytes);
  }

  /** Reverses a charge. */
  void release(long bytes) {
    synchronized (root) {
      subtract(bytes);
    }
  }

  /**
   * Keeps a charge, or reverses it.
   *
   * <p>Peaks change only here, after the allocation: a request that fails leaves no peak.
   */
  void settle(long bytes, boolean kept) {
    synchronized (root) {
      if (kept) {
        notePeak();
      } else {
        subtract(bytes);
      }
    }
  }

  private void notePeak() {
    peakBytes = Math.max(peakBytes, usedBytes);
    if (parent.isPresent()) {
      parent.get().notePeak();
    }
  }

  /** Moves a charge to another account, or {@return the account whose limit is exceeded} */
  Optional<Exhausted> move(long bytes, BudgetAccount other) {
    return replace(Optional.of(this), bytes, Optional.of(other), bytes);
  }

  /**
   * Replaces a charge by another one, in one step if both are of one tree; or {@return the account
   * whose limit is exceeded, and nothing changes}
   */
  static Optional<Exhausted> replace(
      Optional<BudgetAccount> from, long fromBytes, Optional<BudgetAccount> to, long toBytes) {
    if (from.isPresent() && to.isPresent() && from.get().root == to.get().root) {
      return from.get().replaceWithin(fromBytes, to.get(), toBytes);
    }
    Optional<Exhausted> exhausted = to.flatMap(account -> account.tryCharge(toBytes));
    if (exhausted.isEmpty()) {
      to.ifPresent(account -> account.settle(toBytes, true));
      from.ifPresent(account -> account.release(fromBytes));
    }
    return exhausted;
  }

  private Optional<Exhausted> replaceWithin(long bytes, BudgetAccount other, long otherBytes) {
    synchronized (root) {
      other.checkOpen();
      subtract(bytes);
      Optional<Exhausted> exhausted = other.tryCharge(otherBytes);
      if (exhausted.isPresent()) {
        add(bytes);
      } else {
        other.notePeak();
      }
      return exhausted;
    }
  }

  /**
   * Sets the limit to a number of bytes, or to the charged bytes if they are more, and {@return the
   * new limit}
   *
   * @throws IllegalArgumentException if the reservation is larger; nothing changes
   */
  long setLimit(long bytes) {
    if (bytes < reservedBytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the limit of budget '%s' must be at least its reservation: limitBytes=%d, reservedBytes=%d",
              path,
              bytes,
              reservedBytes));
    }
    synchronized (root) {
      checkOpen();
      limitBytes = Math.max(bytes, usedBytes);
      return limitBytes;
    }
  }

  /** {@return false if the limits rule out a charge, whatever else is charged} */
  boolean isWithinLimits(long bytes) {
    return bytes <= limitBytes
        && (parent.isEmpty() || parent.get().isWithinLimits(Math.max(reservedBytes, bytes)));
  }

  /** {@return the lowest account that a charge to this one would change and that is sought} */
  Optional<BudgetAccount> reached(Predicate<BudgetAccount> isSought, long bytes) {
    synchronized (root) {
      if (bytes == 0 || isSought.test(this)) {
        return bytes == 0 ? Optional.empty() : Optional.of(this);
      }
      return parent.isEmpty()
          ? Optional.empty()
          : parent.get().reached(isSought, unreservedBytes(bytes));
    }
  }

  /**
   * {@return true if each charge to this account changes one above, as no reservation is between}
   */
  boolean certainlyReaches(BudgetAccount account) {
    return this == account
        || (reservedBytes == 0 && parent.isPresent() && parent.get().certainlyReaches(account));
  }

  Optional<BudgetAccount> parent() {
    return parent;
  }

  /**
   * Closes the account and releases its reservation, or {@return the reason why it stays open}
   *
   * <p>Has no effect if the account is closed.
   */
  Optional<String> close() {
    synchronized (root) {
      if (closed) {
        return Optional.empty();
      }
      if (usedBytes == 0 && openChildren.isEmpty()) {
        closed = true;
        parent.ifPresent(account -> account.closed(this));
        return Optional.empty();
      }
      return Optional.of(
          Stream.of(describeUsed(), describeChildren())
              .filter(text -> !text.isEmpty())
              .collect(Collectors.joining(", and ")));
    }
  }

  private void closed(BudgetAccount child) {
    openChildren.remove(child);
    subtract(child.reservedBytes);
  }

  private String describeUsed() {
    return usedBytes == 0 ? "" : ByteCount.exact(usedBytes) + " are charged to it";
  }

  private String describeChildren() {
    if (openChildren.isEmpty()) {
      return "";
    }
    String names =
        openChildren.stream()
            .limit(CHILDREN_SHOWN)
            .map(child -> "'" + child.path + "'")
            .collect(Collectors.joining(", "));
    int others = openChildren.size() - CHILDREN_SHOWN;
    return String.format(
        Locale.ROOT,
        "%d %s open: %s%s",
        openChildren.size(),
        openChildren.size() == 1 ? "child is" : "children are",
        names,
        others > 0 ? String.format(Locale.ROOT, " and %d more", others) : "");
  }

  /** {@return true if this account is {@code account} or below it} */
  boolean isWithin(BudgetAccount account) {
    return this == account || parent.filter(above -> above.isWithin(account)).isPresent();
  }

  String path() {
    return path;
  }

  long usedBytes() {
    synchronized (root) {
      return usedBytes;
    }
  }

  long peakBytes() {
    synchronized (root) {
      return peakBytes;
    }
  }

  void clearPeak() {
    synchronized (root) {
      peakBytes = usedBytes;
    }
  }

  long reservedBytes() {
    return reservedBytes;
  }

  long limitBytes() {
    return limitBytes;
  }

  /**
   * An account whose limit a charge would exceed.
   *
   * @param account the account
   * @param chargedBytes the bytes that would be charged to it
   * @param usedBytes the bytes that were charged to it then
   * @param limitBytes its limit then
   */
  record Exhausted(BudgetAccount account, long chargedBytes, long usedBytes, long limitBytes) {

    /** {@return the message of a request through an account: this one, or one below it} */
    String message(BudgetAccount asked, long roundedBytes, long requestedBytes) {
      return String.format(
          Locale.ROOT,
          "budget '%s' is out of memory%s: %s%s. Its limit is %s too low. In use: %s; limit: %s.",
          account.path,
          asked == account ? "" : String.format(Locale.ROOT, " for budget '%s'", asked.path),
          FailedRequest.describe(requestedBytes, roundedBytes),
          chargedBytes == roundedBytes
              ? ""
              : ", " + ByteCount.text(chargedBytes) + " of it beyond the reservation",
          ByteCount.exact(chargedBytes - (limitBytes - usedBytes)),
          ByteCount.text(usedBytes),
          ByteCount.exact(limitBytes));
    }
  }

  /**
   * A transfer that would exceed the limit of an account.
   *
   * @param exhausted the account
   * @param requestedBytes the requested bytes of the allocation
   */
  record Unpaid(Exhausted exhausted, long requestedBytes) {}
}
