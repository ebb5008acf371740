package dev.stowage.allocator;

import dev.stowage.allocator.internal.ByteCount;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A share of memory with a limit, a reservation and child accounts. Code charges bytes from any
 * source to it: from C++ or Rust, from a mapped file, or from an engine.
 *
 * {@snippet :
 * MemoryAccount service = MemoryAccount.root("service", 2L << 30);
 * MemoryAccount search = service.child("search", 512L << 20, 1L << 30);
 * try (MemoryAccount.Charge charge = search.charge(64 << 20, "index", Duration.ofSeconds(1))) {
 *   index.load();
 *   charge.resize(index.bytes());
 * }
 * }
 *
 * <p>Bytes are charged to an account and to all accounts above it, or refused if this would exceed
 * a limit. The reservation of a child is always available to it, and other children never get it.
 * Beyond its reservation, a child uses bytes that are neither reserved nor in use. An account holds
 * no memory. An {@link AllocationBudget} is an allocator with an account.
 *
 * <p>Waiting charges are served in the order of their arrival. A waiting charge holds up all later
 * charges to its account and to the accounts above, up to the first one with too few bytes. This
 * includes charges without a timeout. It holds up no charge within the reservation of another
 * child.
 *
 * <p>Safe for use by many threads, including virtual threads. A charge costs O(d) at depth d, and
 * O(d log w) if w charges wait.
 */
public final class MemoryAccount implements AutoCloseable {

  /*
   * Each level keeps one number:
   *
   *   used = bytes charged here + for each child the larger of its reservation and its used bytes
   *
   * A charge propagates from the account where it is made to the root. Each level subtracts the
   * unused rest of its reservation. Nothing changes unless the charge is within the limits of all
   * levels. Beside it, each level has the sums by tag of all charges to it and below.
   *
   * All accounts of a tree share a lock. A thread that holds the allocator's lock may take the lock of
   * a tree, never the other way round. No thread takes the locks of two trees.
   *
   * If a request of an allocator waits for a budget, it stands in the queue of the allocator
   * (Waiters). A charge that waits stands in the queue of the tree (ChargeQueue). Each change that
   * leaves more serves both queues.
   */

  private static final int CHILDREN_SHOWN = 3;

  private final String path;
  private final Optional<MemoryAccount> parent;
  private final MemoryAccount root;
  private final ShortLock lock;
  private final ChargeQueue queue;
  private final long reservedBytes;

  /** Written with the lock. */
  private volatile long limitBytes;

  /** In the order in which they were opened. */
  private final Set<MemoryAccount> openChildren = new LinkedHashSet<>();

  private final TagSums sums = new TagSums();
  private long usedBytes;

  /** The bytes that reservations of children keep, which no end of a charge returns. */
  private long keptBytes;

  private long peakBytes;
  private long refusals;
  private boolean closed;

  /** An allocator that charges its requests to a tree. */
  interface Allocating {

    /** Serves requests that wait for an account, which has more left, or for one above it. */
    void serveAfter(MemoryAccount released);

    /** Sets the limit of an account, answers waiting requests, and {@return the new limit} */
    long setLimit(MemoryAccount account, long bytes);
  }

  /** The allocator that also charges its requests to the tree of this root. */
  private volatile Optional<Allocating> allocator = Optional.empty();

  /**
   * Creates an account to which nothing is charged.
   *
   * @throws IllegalArgumentException unless {@code 0 <= reservedBytes <= limitBytes}
   */
  MemoryAccount(String path, Optional<MemoryAccount> parent, long reservedBytes, long limitBytes) {
    if (reservedBytes < 0 || limitBytes < reservedBytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "account '%s' needs 0 <= reservedBytes <= limitBytes: reservedBytes=%d, limitBytes=%d",
              path,
              reservedBytes,
              limitBytes));
    }
    this.path = path;
    this.parent = parent;
    this.root = parent.isPresent() ? parent.get().root : this;
    this.lock = parent.isPresent() ? root.lock : new ShortLock();
    this.queue = parent.isPresent() ? root.queue : new ChargeQueue();
    this.reservedBytes = reservedBytes;
    this.limitBytes = limitBytes;
  }

  /**
   * {@return an account without a parent}
   *
   * @param name the name in messages
   * @param limitBytes the most bytes that may be charged; {@link Long#MAX_VALUE} for no limit
   * @throws IllegalArgumentException if {@code limitBytes < 0}
   */
  public static MemoryAccount root(String name, long limitBytes) {
    return new MemoryAccount(name, Optional.empty(), 0, limitBytes);
  }

  /** {@return the root of an allocator's budgets} */
  static MemoryAccount root(String name, Allocating allocator, long limitBytes) {
    MemoryAccount root = root(name, limitBytes);
    root.allocator = Optional.of(allocator);
    return root;
  }

  /**
   * {@return a child of this account}
   *
   * @param name the name in messages, which is appended to the path of this account
   * @param childReservedBytes the bytes that are kept for the child while it is open
   * @param childLimitBytes the most bytes that may be charged to the child; {@link Long#MAX_VALUE}
   *     for as many as this account has
   * @throws IllegalArgumentException unless {@code 0 <= childReservedBytes <= childLimitBytes}
   * @throws IllegalStateException if this account is closed
   * @throws MemoryRefusedException if the reservation exceeds the limit of this account or of one
   *     above it; reservations do not wait
   */
  public MemoryAccount child(String name, long childReservedBytes, long childLimitBytes) {
    MemoryAccount child = newChild(name, childReservedBytes, childLimitBytes);
    Refusal refusal;
    try (ShortLock _ = lock.hold()) {
      Optional<Exhausted> exhausted = open(child);
      if (exhausted.isEmpty()) {
        return child;
      }
      refusal = refuse(exhausted.get(), childReservedBytes, "reservation of " + name);
    }
    throw new MemoryRefusedException(refusal);
  }

  /** {@return a child that is not open yet} */
  MemoryAccount newChild(String name, long childReservedBytes, long childLimitBytes) {
    return new MemoryAccount(
        path + "/" + name, Optional.of(this), childReservedBytes, childLimitBytes);
  }

  /** Charges the reservation of a new child, or {@return the account that has too little left} */
  Optional<Exhausted> open(MemoryAccount child) {
    try (ShortLock _ = lock.hold()) {
      checkOpen();
      Optional<Exhausted> exhausted = exhaustedBy(child.reservedBytes);
      if (exhausted.isEmpty()) {
        openChildren.add(child);
        add(child.reservedBytes, child.reservedBytes);
        notePeak();
        queue.serve(this);
      }
      return exhausted;
    }
  }

  // Charges.

  /**
   * {@return a charge of bytes to this account and its ancestors}
   *
   * @param bytes the number of bytes; may be 0
   * @param tag the purpose of the bytes, in reports and refusals
   * @throws IllegalArgumentException if {@code bytes < 0}
   * @throws IllegalStateException if the account is closed
   * @throws MemoryRefusedException if a limit is exceeded, or an earlier charge waits
   */
  public Charge charge(long bytes, String tag) {
    Charge charge = new Charge(this, tag);
    Refusal refusal;
    try (ShortLock _ = lock.hold()) {
      Optional<Exhausted> stop = tryBegin(charge, bytes);
      if (stop.isEmpty()) {
        return charge;
      }
      refusal = refuse(stop.get(), bytes, tag);
    }
    throw new MemoryRefusedException(refusal);
  }

  /**
   * {@return a charge of bytes to this account and its ancestors, or empty if a limit is exceeded
   * or an earlier charge waits}
   *
   * @param bytes the number of bytes; may be 0
   * @param tag the purpose of the bytes, in reports and refusals
   * @throws IllegalArgumentException if {@code bytes < 0}
   * @throws IllegalStateException if the account is closed
   */
  public Optional<Charge> tryCharge(long bytes, String tag) {
    Charge charge = new Charge(this, tag);
    try (ShortLock _ = lock.hold()) {
      Optional<Exhausted> stop = tryBegin(charge, bytes);
      stop.ifPresent(each -> each.account().refusals++);
      return stop.isEmpty() ? Optional.of(charge) : Optional.empty();
    }
  }

  /**
   * {@return a charge of bytes to this account and its ancestors, waiting for others to end if a
   * limit is exceeded}
   *
   * @param bytes the number of bytes; may be 0
   * @param tag the purpose of the bytes, in reports and refusals
   * @param timeout the longest time to wait; if it is not positive, the method does not wait
   * @throws IllegalArgumentException if {@code bytes < 0}
   * @throws IllegalStateException if the account is closed
   * @throws MemoryRefusedException if a limit is exceeded when the timeout expires; at once if the
   *     bytes and the reservations of other accounts alone exceed a limit
   * @throws InterruptedException if the thread is interrupted while it waits; nothing is charged
   */
  public Charge charge(long bytes, String tag, Duration timeout) throws InterruptedException {
    Charge charge = new Charge(this, tag);
    ChargeQueue.Waiter waiter;
    try (ShortLock _ = lock.hold()) {
      Optional<Exhausted> stop = tryBegin(charge, bytes);
      if (stop.isEmpty()) {
        return charge;
      }
      waiter = queue.add(charge, bytes, beyondLimits(bytes).isEmpty() ? timeout : Duration.ZERO);
    }
    waiter.await(LockSupport::parkNanos);
    Refusal refusal;
    try (ShortLock _ = lock.hold()) {
      if (charge.isOpen) {
        return charge;
      }
      Optional<Exhausted> stop = queue.stop(waiter);
      queue.remove(waiter);
      if (Thread.interrupted()) {
        throw new InterruptedException(
            String.format(
                Locale.ROOT,
                "interrupted while waiting for %s of account '%s'",
                ByteCount.exact(bytes),
                path));
      }
      if (stop.isEmpty()) { // the limit was too low, and was raised since
        begin(charge, bytes);
        return charge;
      }
      refusal = refuse(stop.get(), bytes, tag);
    }
    throw new MemoryRefusedException(refusal);
  }

  /** Begins a charge, or {@return the account that holds it up} */
  private Optional<Exhausted> tryBegin(Charge charge, long bytes) {
    checkBytes(bytes);
    checkOpen();
    Optional<Exhausted> stop = queue.stop(this, bytes);
    if (stop.isEmpty()) {
      begin(charge, bytes);
    }
    return stop;
  }

  private static void checkBytes(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative: bytes=" + bytes);
    }
  }

  /** Begins a charge that nothing holds up. */
  void begin(Charge charge, long bytes) {
    charge.bytes = bytes;
    charge.isOpen = true;
    add(bytes, charge.tag, 1, true);
  }

  /** {@return a refusal, which is counted} */
  private Refusal refuse(Exhausted stop, long bytes, String tag) {
    Optional<Exhausted> never = beyondLimits(bytes);
    Exhausted exhausted = never.orElse(stop);
    MemoryAccount level = exhausted.account();
    level.refusals++;
    String reservations =
        never.isPresent() && isWithinLimits(bytes) ? describeReservations(level) : "";
    return new Refusal(exhausted, path, tag, bytes, level.level(), never.isPresent(), reservations);
  }

  /** {@return the largest reservations below an account that charges to this one cannot use} */
  private String describeReservations(MemoryAccount level) {
    return level
        .withChildren()
        .filter(each -> each.reservedBytes > 0 && !isWithin(each))
        .sorted(Comparator.comparingLong(MemoryAccount::reservedBytes).reversed())
        .limit(CHILDREN_SHOWN)
        .map(each -> "'" + each.path + "' " + ByteCount.text(each.reservedBytes))
        .collect(Collectors.joining(", "));
  }

  /**
   * Bytes that are charged to an account until this charge is closed.
   *
   * <p>Safe for use by many threads.
   */
  public static final class Charge implements AutoCloseable {

    private final MemoryAccount account;
    private final String tag;
    private volatile long bytes;
    private boolean isOpen;

    Charge(MemoryAccount account, String tag) {
      this.account = account;
      this.tag = tag;
    }

    /** {@return the account that is charged} */
    public MemoryAccount account() {
      return account;
    }

    /** {@return the purpose of the bytes} */
    public String tag() {
      return tag;
    }

    /** {@return the charged bytes; 0 after {@link #close()}} */
    public long bytes() {
      return bytes;
    }

    /**
     * Changes the charged bytes.
     *
     * <p>A larger charge does not wait, and goes before charges that do: these wait for its end.
     *
     * @param newBytes the number of bytes
     * @throws IllegalArgumentException if {@code newBytes < 0}; nothing changes
     * @throws IllegalStateException if the charge is closed
     * @throws MemoryRefusedException if a limit is exceeded; nothing changes
     */
    public void resize(long newBytes) {
      Optional<Refusal> refusal;
      try (ShortLock _ = account.lock.hold()) {
        long more = newBytes - bytes;
        refusal = change(newBytes).map(stop -> account.refuse(stop, more, tag));
      }
      if (refusal.isPresent()) {
        throw new MemoryRefusedException(refusal.get());
      }
      account.serveAllocator();
    }

    private Optional<Exhausted> change(long newBytes) {
      checkBytes(newBytes);
      if (!isOpen) {
        throw new IllegalStateException(
            String.format(
                Locale.ROOT, "a charge to account '%s' for '%s' is closed", account.path, tag));
      }
      long more = newBytes - bytes;
      Optional<Exhausted> exhausted = more > 0 ? account.exhaustedBy(more) : Optional.empty();
      if (exhausted.isEmpty()) {
        become(newBytes, 0);
      }
      return exhausted;
    }

    /** Sets the size; the lock of the account guards all changes. */
    private void become(long newBytes, long charges) {
      long more = newBytes - bytes;
      bytes = newBytes;
      account.add(more, tag, charges, true);
      account.queue.serve(account);
    }

    /** Ends the charge; has no effect if it has ended. */
    @Override
    public void close() {
      try (ShortLock _ = account.lock.hold()) {
        if (!isOpen) {
          return;
        }
        isOpen = false;
        become(0, -1);
      }
      account.serveAllocator();
    }
  }

  // Requests of an allocator.

  /**
   * Charges this account and its ancestors; or charges none and {@return the lowest account that
   * would exceed its limit}
   */
  Optional<Exhausted> take(long bytes, String tag) {
    try (ShortLock _ = lock.hold()) {
      checkOpen();
      Optional<Exhausted> exhausted = exhaustedBy(bytes);
      if (exhausted.isEmpty()) {
        add(bytes, tag, 1, false);
        queue.serve(this);
      }
      return exhausted;
    }
  }

  /** Reverses a charge. */
  void release(long bytes, String tag) {
    try (ShortLock _ = lock.hold()) {
      add(-bytes, tag, -1, false);
      queue.serve(this);
    }
  }

  /**
   * Keeps a charge, or reverses it.
   *
   * <p>Peaks change only here, after the allocation: a request that fails leaves no peak.
   */
  void settle(long bytes, String tag, boolean kept) {
    if (!kept) {
      release(bytes, tag);
      return;
    }
    try (ShortLock _ = lock.hold()) {
      notePeak();
    }
  }

  /** {@return true if both accounts are of one tree} */
  boolean isBeside(MemoryAccount other) {
    return root == other.root;
  }

  /**
   * Moves a charge to another account of the tree, in one step; or changes nothing and {@return the
   * account that would exceed its limit}
   */
  Optional<Exhausted> replace(
      long bytes, String tag, MemoryAccount other, long otherBytes, String otherTag) {
    try (ShortLock _ = lock.hold()) {
      other.checkOpen();
      add(-bytes, 0);
      Optional<Exhausted> exhausted = other.exhaustedBy(otherBytes);
      add(bytes, 0);
      if (exhausted.isEmpty()) {
        add(-bytes, tag, -1, false);
        other.add(otherBytes, otherTag, 1, true);
        queue.serve(this);
        queue.serve(other);
      }
      return exhausted;
    }
  }

  // Sums.

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException(String.format(Locale.ROOT, "account '%s' is closed", path));
    }
  }

  private Optional<Exhausted> exhaustedBy(long bytes) {
    if (bytes > limitBytes - usedBytes) {
      return Optional.of(exhausted(bytes));
    }
    return parent.isPresent() ? parent.get().exhaustedBy(unreservedBytes(bytes)) : Optional.empty();
  }

  /** {@return the answer that this account holds up a charge} */
  Exhausted exhausted(long bytes) {
    return new Exhausted(this, bytes, usedBytes, limitBytes);
  }

  boolean hasRoom(long bytes) {
    return bytes <= limitBytes - usedBytes;
  }

  /** Adds used bytes and the reservations among them, or subtracts them if negative. */
  private void add(long bytes, long kept) {
    long beyond = unreservedBytes(usedBytes, bytes);
    long keptBeyond = unreservedBytes(keptBytes, kept);
    usedBytes += bytes;
    keptBytes += kept;
    parent.ifPresent(above -> above.add(beyond, keptBeyond));
  }

  /** {@return the part of a charge that exceeds the reservation and is charged to the parent} */
  long unreservedBytes(long bytes) {
    return unreservedBytes(usedBytes, bytes);
  }

  private long unreservedBytes(long before, long bytes) {
    return Math.max(reservedBytes, before + bytes) - Math.max(reservedBytes, before);
  }

  /** Adds charged bytes with a tag, or subtracts them if negative. */
  private void add(long bytes, String tag, long charges, boolean isPeak) {
    long charged = bytes;
    MemoryAccount level = this;
    while (true) {
      long beyond = level.unreservedBytes(charged);
      level.usedBytes += charged;
      level.sums.add(tag, bytes, charges);
      if (isPeak && level.usedBytes > level.peakBytes) {
        level.peakBytes = level.usedBytes;
      }
      if (level.parent.isEmpty()) {
        return;
      }
      charged = beyond;
      level = level.parent.get();
    }
  }

  private void notePeak() {
    peakBytes = Math.max(peakBytes, usedBytes);
    if (parent.isPresent()) {
      parent.get().notePeak();
    }
  }

  /** {@return false if the limits rule out a charge, even if no account has a reservation} */
  boolean isWithinLimits(long bytes) {
    return bytes <= limitBytes
        && (parent.isEmpty() || parent.get().isWithinLimits(Math.max(reservedBytes, bytes)));
  }

  /** {@return the lowest account that could not take a charge, even if it were the only one} */
  Optional<Exhausted> beyondLimits(long bytes) {
    if (bytes > limitBytes - keptBytes) {
      return Optional.of(exhausted(bytes));
    }
    return parent.isPresent()
        ? parent.get().beyondLimits(unreservedBytes(keptBytes, bytes))
        : Optional.empty();
  }

  /** {@return the lowest matching account among those that a charge to this one would change} */
  Optional<MemoryAccount> reached(Predicate<MemoryAccount> isSought, long bytes) {
    try (ShortLock _ = lock.hold()) {
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
  boolean certainlyReaches(MemoryAccount account) {
    return this == account
        || (reservedBytes == 0 && parent.isPresent() && parent.get().certainlyReaches(account));
  }

  Optional<MemoryAccount> parent() {
    return parent;
  }

  ChargeQueue queue() {
    return queue;
  }

  /** {@return true if this account is {@code account} or below it} */
  boolean isWithin(MemoryAccount account) {
    return this == account || parent.filter(above -> above.isWithin(account)).isPresent();
  }

  // The limit and the end.

  /**
   * Changes the limit.
   *
   * <p>Charged bytes are never affected: if they exceed a lower limit, the limit becomes the bytes
   * that are charged now. A charge that waits for more than the new limit fails. A higher limit
   * serves charges that wait. The reservation stays, and accounts above this one keep their limits.
   *
   * @param newLimitBytes the most bytes that may be charged; {@link Long#MAX_VALUE} for no limit
   * @return the limit that is now in force; accounts release no memory
   * @throws IllegalArgumentException if {@code newLimitBytes < reservedBytes()}; nothing changes
   * @throws IllegalStateException if the account is closed, or a listener or the sub-allocator of
   *     an allocator that is charged to it calls this method; nothing changes
   */
  public LimitChange setLimit(long newLimitBytes) {
    long limit =
        root.allocator.isPresent()
            ? root.allocator.get().setLimit(this, newLimitBytes)
            : changeLimit(newLimitBytes);
    return new LimitChange(newLimitBytes, limit, 0);
  }

  /** Sets the limit, without serving an allocator, and {@return the new limit} */
  long changeLimit(long bytes) {
    if (bytes < reservedBytes) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the limit of account '%s' must be at least its reservation: limitBytes=%d, reservedBytes=%d",
              path,
              bytes,
              reservedBytes));
    }
    try (ShortLock _ = lock.hold()) {
      checkOpen();
      limitBytes = Math.max(bytes, usedBytes);
      queue.tryAll();
      return limitBytes;
    }
  }

  /**
   * Releases the reservation; has no effect if the account is closed.
   *
   * @throws IllegalStateException if bytes are still charged to this account, charges wait for it,
   *     or it has open children; the message names them, and nothing changes
   */
  @Override
  public void close() {
    Optional<String> obstacle = tryClose();
    if (obstacle.isPresent()) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "account '%s' cannot be closed: %s", path, obstacle.get()));
    }
    serveAllocator();
  }

  /** Closes the account, or {@return the reason why it stays open} */
  Optional<String> tryClose() {
    try (ShortLock _ = lock.hold()) {
      if (closed) {
        return Optional.empty();
      }
      long waiting = queue.countIn(this);
      if (sums.isEmpty() && openChildren.isEmpty() && waiting == 0) {
        closed = true;
        parent.ifPresent(account -> account.closed(this));
        return Optional.empty();
      }
      return Optional.of(
          Stream.of(
                  sums.isEmpty() ? "" : ByteCount.exact(usedBytes) + " are charged to it",
                  waiting == 0 ? "" : AllocatorReport.counted(waiting, "charge") + " waiting",
                  describeChildren())
              .filter(text -> !text.isEmpty())
              .collect(Collectors.joining(", and ")));
    }
  }

  private void closed(MemoryAccount child) {
    openChildren.remove(child);
    add(-child.reservedBytes, -child.reservedBytes);
    queue.serve(this);
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

  /** Serves requests of an allocator that wait for this account or one above, without the lock. */
  private void serveAllocator() {
    if (root.allocator.isPresent()) {
      root.allocator.get().serveAfter(this);
    }
  }

  // Reading.

  /** {@return the names of the accounts from the root, separated by slashes} */
  public String path() {
    return path;
  }

  /** {@return the bytes that are charged to this account, with the reservations of its children} */
  public long usedBytes() {
    try (ShortLock _ = lock.hold()) {
      return usedBytes;
    }
  }

  /** {@return the most bytes that were charged at any time, without requests that failed} */
  public long peakBytes() {
    try (ShortLock _ = lock.hold()) {
      return peakBytes;
    }
  }

  /** Sets the peak to the bytes that are charged now. */
  public void clearPeak() {
    try (ShortLock _ = lock.hold()) {
      peakBytes = usedBytes;
    }
  }

  /** {@return the bytes that are kept for this account} */
  public long reservedBytes() {
    return reservedBytes;
  }

  /** {@return the most bytes that may be charged to this account} */
  public long limitBytes() {
    return limitBytes;
  }

  /** {@return this account and all open ones below, at one moment; children after their parents} */
  public List<Level> levels() {
    try (ShortLock _ = lock.hold()) {
      return withChildren().map(MemoryAccount::level).toList();
    }
  }

  /** {@return this account and all open ones below; children after their parents} */
  private Stream<MemoryAccount> withChildren() {
    return Stream.concat(
        Stream.of(this), openChildren.stream().flatMap(MemoryAccount::withChildren));
  }

  /** {@return this account at this moment} */
  public Level level() {
    try (ShortLock _ = lock.hold()) {
      return new Level(
          path,
          usedBytes,
          reservedBytes,
          limitBytes,
          peakBytes,
          queue.countAt(this),
          refusals,
          sums.holders());
    }
  }

  /** {@return the account in a sentence} */
  @Override
  public String toString() {
    return level().toString();
  }

  /**
   * An account at one moment.
   *
   * @param path the names of the accounts from the root, separated by slashes
   * @param usedBytes the bytes that are charged to it, with the reservations of its children
   * @param reservedBytes the bytes that are kept for it
   * @param limitBytes the most bytes that may be charged to it
   * @param peakBytes the most bytes that were charged at any time
   * @param waiting the number of charges that wait for its bytes
   * @param refused the number of charges that it refused
   * @param holders the charges to it and to accounts below it by tag, the largest first
   */
  public record Level(
      String path,
      long usedBytes,
      long reservedBytes,
      long limitBytes,
      long peakBytes,
      long waiting,
      long refused,
      @SuppressWarnings("serial") // an immutable list of the JDK is serializable
          List<AllocatorReport.Holder> holders)
      implements Serializable {

    private static final int HOLDERS_SHOWN = 3;

    /** Creates a level. */
    public Level {
      holders = List.copyOf(holders);
    }

    /** {@return the used bytes beyond the reservation} */
    public long burstBytes() {
      return Math.max(0, usedBytes - reservedBytes);
    }

    /** {@return the bytes of reservations that children do not use} */
    public long unusedBytes() {
      return usedBytes - holders.stream().mapToLong(AllocatorReport.Holder::bytes).sum();
    }

    /** {@return the level in a sentence} */
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "account '%s' has %s in use, of a limit of %s%s%s.%s",
          path,
          ByteCount.text(usedBytes),
          limitBytes == Long.MAX_VALUE ? "none" : ByteCount.exact(limitBytes),
          reservedBytes == 0 ? "" : ", with " + ByteCount.text(reservedBytes) + " reserved",
          waiting == 0 ? "" : "; " + AllocatorReport.counted(waiting, "charge") + " waiting",
          describeHolders());
    }

    /** {@return the largest holders in a sentence after a space; empty if there are none} */
    String describeHolders() {
      List<String> parts = new ArrayList<>();
      holders.stream()
          .limit(HOLDERS_SHOWN)
          .forEach(holder ->
              parts.add(
                  String.format(
                      Locale.ROOT,
                      "%s %s in %s",
                      holder.tag().isEmpty() ? "(no tag)" : "'" + holder.tag() + "'",
                      ByteCount.text(holder.bytes()),
                      AllocatorReport.counted(holder.allocations(), "charge"))));
      if (holders.size() > HOLDERS_SHOWN) {
        parts.add(AllocatorReport.counted(holders.size() - HOLDERS_SHOWN, "more tag"));
      }
      if (unusedBytes() > 0) {
        parts.add("kept for children " + ByteCount.text(unusedBytes()));
      }
      return parts.isEmpty() ? "" : " Holders: " + String.join(", ", parts) + ".";
    }
  }

  /**
   * A charge that was refused.
   *
   * @param exhausted the account that holds it up
   * @param asked the path of the account that was asked
   * @param tag the purpose of the bytes
   * @param bytes the number of bytes
   * @param level the account that holds it up, at that moment
   * @param isPermanent true if no end of charges can help
   * @param reservations the reservations that leave too little; empty if the bytes alone exceed a
   *     limit
   */
  record Refusal(
      Exhausted exhausted,
      String asked,
      String tag,
      long bytes,
      Level level,
      boolean isPermanent,
      String reservations) {}
}
