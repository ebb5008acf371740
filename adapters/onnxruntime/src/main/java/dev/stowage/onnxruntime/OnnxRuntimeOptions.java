package dev.stowage.onnxruntime;

import dev.stowage.allocator.AllocationListener;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.MemoryAccount;
import java.util.Locale;
import java.util.Optional;

/** The options of an {@link OnnxRuntimeAllocator}. */
public final class OnnxRuntimeOptions {

  private final BfcOptions allocator;
  private final Optional<AllocationListener> listener;

  /** Negative for the default. */
  private final long reserveBytes;

  private final Optional<MemoryAccount> account;
  private final boolean trims;

  private OnnxRuntimeOptions(
      BfcOptions allocator,
      Optional<AllocationListener> listener,
      long reserveBytes,
      Optional<MemoryAccount> account,
      boolean trims) {
    if (reserveBytes >= 0 && account.isPresent()) {
      throw new IllegalArgumentException(
          "an account of the service has no reserve; lower its limit instead: reserveBytes="
              + reserveBytes);
    }
    this.allocator = allocator;
    this.listener = listener;
    this.reserveBytes = reserveBytes;
    this.account = account;
    this.trims = trims;
  }

  /**
   * {@return options with a reserve of an eighth of the limit, an account of their own and no
   * trims}
   *
   * @param allocator the options of the allocator; {@link BfcOptions#expandable()} reserves least
   */
  public static OnnxRuntimeOptions of(BfcOptions allocator) {
    return new OnnxRuntimeOptions(allocator, Optional.empty(), -1, Optional.empty(), false);
  }

  /**
   * {@return these options with a listener}
   *
   * @param newListener a listener to call for each request and free, for example a {@code
   *     TraceRecorder}. If it throws, the request still succeeds, and {@link
   *     OnnxRuntimeAllocator#check()} throws the first exception. The listener must not call the
   *     allocator, its sessions and their permits, or wait for threads that do: calls for admission
   *     or reports throw an {@link IllegalStateException}
   */
  public OnnxRuntimeOptions withListener(AllocationListener newListener) {
    return new OnnxRuntimeOptions(
        allocator, Optional.of(newListener), reserveBytes, account, trims);
  }

  /**
   * {@return these options with another reserve: bytes of the allocator's limit that admission does
   * not grant}
   *
   * <p>The reserve is for runs that exceed their bytes, and for allocations outside runs.
   *
   * @param newReserveBytes the bytes
   * @throws IllegalArgumentException unless {@code 0 <= newReserveBytes <= limitBytes}, or with an
   *     account of the service
   */
  public OnnxRuntimeOptions withReserve(long newReserveBytes) {
    if (newReserveBytes < 0 || newReserveBytes > allocator.limitBytes()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "an allocator needs 0 <= reserveBytes <= limitBytes: reserveBytes=%d, limitBytes=%d",
              newReserveBytes,
              allocator.limitBytes()));
    }
    return new OnnxRuntimeOptions(allocator, listener, newReserveBytes, account, trims);
  }

  /**
   * {@return these options with an account of the service, so that runs and other users of memory
   * share a limit}
   *
   * <p>Without it, sessions have a root account with the limit of the allocator, less the reserve.
   * With it, admission grants all bytes of the account: for a reserve, give it a lower limit.
   *
   * @param newAccount the parent of the accounts of sessions
   * @throws IllegalArgumentException if the options have a reserve
   */
  public OnnxRuntimeOptions withAccount(MemoryAccount newAccount) {
    return new OnnxRuntimeOptions(
        allocator, listener, reserveBytes, Optional.of(newAccount), trims);
  }

  /**
   * {@return these options with trims: when a run ends, free memory is returned to the system if
   * the allocator holds more than the largest of the latest eight runs needed}
   *
   * <p>So the memory of a large batch is returned after eight smaller runs. If no run follows, call
   * {@link OnnxRuntimeAllocator#trim()}. The need of a run is the largest number of bytes in use
   * since the end of the run before. Runs without a permit do not count.
   */
  public OnnxRuntimeOptions withTrims() {
    return new OnnxRuntimeOptions(allocator, listener, reserveBytes, account, true);
  }

  /** {@return the options of the allocator} */
  public BfcOptions allocator() {
    return allocator;
  }

  /** {@return the listener, if there is one} */
  public Optional<AllocationListener> listener() {
    return listener;
  }

  /** {@return the bytes of the limit that admission does not grant; 0 with {@link #withAccount}} */
  public long reserveBytes() {
    if (reserveBytes >= 0) {
      return reserveBytes;
    }
    boolean hasNone = account.isPresent() || allocator.limitBytes() == Long.MAX_VALUE;
    return hasNone ? 0 : allocator.limitBytes() / 8;
  }

  /** {@return true if free memory is returned to the system when runs end} */
  public boolean trims() {
    return trims;
  }

  /** {@return true if the account belongs to the service} */
  boolean hasAccount() {
    return account.isPresent();
  }

  /** {@return the parent of the accounts of sessions} */
  MemoryAccount account(String name) {
    long limit = allocator.limitBytes();
    return account.orElseGet(() ->
        MemoryAccount.root(
            name, limit == Long.MAX_VALUE ? limit : Math.max(0, limit - reserveBytes())));
  }
}
