package dev.stowage.onnxruntime;

import dev.stowage.allocator.Allocation;
import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOutOfMemoryException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.StampedLock;
import java.util.stream.Collectors;

/** The requests of ONNX Runtime. Each request gets memory, if necessary outside the limit. */
final class EngineRequests {

  /*
   * An exception that leaves an upcall ends the process. ONNX Runtime cannot handle a failed
   * allocation either: it uses the address without a check. A request therefore gets its memory
   *
   *   1. from the allocator;
   *   2. from the overflow memory, if the allocator refuses or fails, or if the request cannot wait for
   *      another stream that still uses the memory; the exception is recorded;
   *   3. from nowhere, if that fails, too: an error is logged, and ONNX Runtime ends the process.
   *
   * A request throws nothing. It holds the read lock of the gate, and closing holds the write lock,
   * so that no request runs while the allocator returns its regions. Requests after that get
   * overflow memory. ONNX Runtime does not report when it has stopped using an allocator, and a
   * session that held no memory may still be open.
   *
   *   E1  overflow memory lies in no region of the allocator;
   *   E2  `usages` has exactly the allocations of the allocator;
   *   E3  a closed allocator has no chunk in use.
   *
   * Requests count the bytes in use of their session, and take no lock of its MemoryAccount (see
   * PinnedCalls).
   */

  private static final System.Logger LOGGER =
      System.getLogger(EngineRequests.class.getPackageName());

  private final String name;
  private final BfcAllocator allocator;
  private final SessionAccount others;

  /** The allocations in use by address. */
  private final ConcurrentHashMap<Long, Holding> holdings = new ConcurrentHashMap<>();

  private final OverflowMemory overflow;
  private final Optional<StreamOrder> order;
  private final TagUsages usages = new TagUsages();
  private final AtomicBoolean lateUseLogged = new AtomicBoolean();
  private final StampedLock gate = new StampedLock();
  private volatile boolean closed;

  /**
   * An allocation in use.
   *
   * @param session the session that holds it
   * @param bytes its bytes, rounded as in the allocator
   */
  private record Holding(SessionAccount session, long bytes) {}

  EngineRequests(
      String name, BfcAllocator allocator, EngineRegions regions, SessionAccount others) {
    this.name = name;
    this.others = others;
    this.allocator = allocator;
    this.overflow = new OverflowMemory(regions.overflow());
    this.order = regions.order();
  }

  // Called by ONNX Runtime.

  /**
   * {@return the address of memory, or 0 if there is none}
   *
   * @param size the bytes as a {@code size_t}
   * @param stream the stream of a device that uses the memory, or {@link StreamOrder#UNKNOWN}
   */
  long allocate(SessionAccount session, AllocationTag tag, long size, long stream) {
    // A size is a size_t: a negative value is more than any machine has.
    long bytes = size < 0 ? Long.MAX_VALUE : Math.max(1, size);
    long pass = gate.readLock();
    try {
      long own = closed ? OverflowMemory.NONE : fromAllocator(session.failures(), tag, bytes);
      long address = own == OverflowMemory.NONE ? fromOverflow(bytes) : own;
      hold(session, address, bytes);
      return address == OverflowMemory.NONE || order.isEmpty()
          ? address
          : forStream(order.get(), session, address, bytes, stream);
    } catch (Throwable thrown) {
      session.failures().record(thrown);
      return OverflowMemory.NONE;
    } finally {
      gate.unlockRead(pass);
    }
  }

  /**
   * {@return the address of memory without work of other streams: the given address, or a fresh one
   * if the device fails to complete their work}
   */
  private long forStream(
      StreamOrder streams, SessionAccount session, long address, long bytes, long stream) {
    try {
      streams.begin(address, bytes, stream);
      return address;
    } catch (RuntimeException failure) {
      session.failures().record(failure);
    }
    release(address); // keeps its marks
    long unused = fromOverflow(bytes);
    hold(session, unused, bytes);
    if (unused != OverflowMemory.NONE) {
      streams.begin(unused, bytes, stream);
    }
    return unused;
  }

  private void hold(SessionAccount session, long address, long bytes) {
    if (address != OverflowMemory.NONE) {
      Holding holding =
          new Holding(
              session, (bytes + StreamOrder.QUANTUM_BYTES - 1) & -StreamOrder.QUANTUM_BYTES);
      session.use(holding.bytes());
      holdings.put(address, holding);
    }
  }

  private long fromAllocator(RecordedFailures failures, AllocationTag tag, long bytes) {
    try {
      return tag.call(() -> take(failures, bytes));
    } catch (BfcOutOfMemoryException refused) {
      failures.refused(refused);
    } catch (Throwable thrown) {
      failures.refused();
      failures.record(thrown);
    }
    return OverflowMemory.NONE;
  }

  private long take(RecordedFailures failures, long bytes) {
    long address = takeChunk(failures, bytes);
    if (address != OverflowMemory.NONE) {
      usages.add(AllocationTag.current().toString(), address, bytes);
    }
    return address;
  }

  private long takeChunk(RecordedFailures failures, long bytes) {
    if (!failures.hasShortage()) {
      return allocator.allocate(bytes);
    }
    // An explanation walks over all chunks, and check() throws only the first refusal.
    OptionalLong address = allocator.tryAllocate(bytes, 1);
    if (address.isEmpty()) {
      failures.refused();
    }
    return address.orElse(OverflowMemory.NONE);
  }

  private long fromOverflow(long bytes) {
    if (closed && lateUseLogged.compareAndSet(false, true)) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "allocator ''{0}'' is closed, but a session of ONNX Runtime still uses it and now gets"
              + " memory outside the limit; close sessions before their allocator",
          name);
    }
    long address = overflow.allocate(bytes);
    if (address == OverflowMemory.NONE) {
      LOGGER.log(
          System.Logger.Level.ERROR,
          "a request of ONNX Runtime for {1} bytes failed, in allocator ''{0}'' and outside its"
              + " limit: ONNX Runtime ends the process, or its work on the device fails; use a"
              + " smaller model or batch, or more memory",
          name,
          Long.toString(bytes));
    }
    return address;
  }

  /** Frees memory; does nothing for address 0. */
  void free(long address) {
    long pass = gate.readLock();
    try {
      if (address != OverflowMemory.NONE) {
        order.ifPresent(streams -> streams.end(address));
        release(address);
      }
    } catch (Throwable thrown) {
      others.failures().record(thrown);
    } finally {
      gate.unlockRead(pass);
    }
  }

  private void release(long address) {
    Optional.ofNullable(holdings.remove(address))
        .ifPresent(holding -> holding.session().use(-holding.bytes()));
    if (!overflow.freed(address)) {
      usages.remove(address);
      allocator.free(address);
    }
  }

  // Called by the program.

  /**
   * Runs code while no request runs. If it returns normally, later requests get overflow memory.
   *
   * @param code runs only if requests were not closed before
   */
  void close(Runnable code) {
    long pass = gate.writeLock();
    try {
      if (!closed) {
        code.run();
        closed = true;
      }
      // A second call retries what the system did not take back.
      overflow.returnFreed();
      allocator.close();
    } finally {
      gate.unlockWrite(pass);
    }
  }

  /** Runs code that uses the allocator, unless it is closed. */
  void runIfOpen(Runnable code) {
    long pass = gate.readLock();
    try {
      if (!closed) {
        code.run();
      }
    } finally {
      gate.unlockRead(pass);
    }
  }

  /** {@return the memory outside the limit} */
  OverflowMemory overflow() {
    return overflow;
  }

  /** {@return the usage of all tags, the largest peak first, then by name} */
  List<OnnxRuntimeReport.TagUsage> usages() {
    return usages.list();
  }

  /** {@return the largest number of requested bytes in use since the last call} */
  long takePeak() {
    return usages.takePeak();
  }

  /** {@return the account of sessions without an account of their own} */
  SessionAccount others() {
    return others;
  }

  /** {@return the streams that use freed memory; empty for memory of the host} */
  Optional<StreamOrder> order() {
    return order;
  }

  /** Checks E1 to E3 and the order of streams, while no other thread uses the memory. */
  void checkInvariants() {
    order.ifPresent(StreamOrder::checkInvariants);
    boolean isApart =
        overflow.addresses().stream()
            .noneMatch(address ->
                allocator.regions().stream()
                    .anyMatch(region ->
                        region.address() <= address
                            && address < region.address() + region.bytes()));
    check(isApart, "E1 overflow memory is in a region");
    Set<Long> inUse =
        allocator.allocations().stream().map(Allocation::address).collect(Collectors.toSet());
    check(usages.addresses().equals(inUse), "E2 the usages and the allocations differ");
    check(!closed || inUse.isEmpty(), "E3 the closed allocator has a chunk in use");
  }

  private void check(boolean holds, String broken) {
    if (!holds) {
      throw new AssertionError(String.format(Locale.ROOT, "%s: allocator '%s'", broken, name));
    }
  }
}
