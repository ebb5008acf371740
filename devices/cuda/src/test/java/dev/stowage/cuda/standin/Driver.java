package dev.stowage.cuda.standin;

import java.util.concurrent.atomic.AtomicLong;

/** The state of the stand-in, and its functions. */
final class Driver implements AutoCloseable {

  /** A number that cannot be taken for a context or an address. */
  private static final long FIRST_HANDLE = 0x4000;

  private final FailurePlan failures = new FailurePlan();
  private final AddressSpace addresses = new AddressSpace();
  private final Gpus gpus;
  private final Streams streams;
  private final StreamFunctions streamFunctions;
  private final MemoryFunctions memoryFunctions;
  private final VirtualMemoryFunctions virtualMemoryFunctions;
  private final NativeFunctions library;

  /**
   * Creates a driver.
   *
   * @param deviceCount the number of its devices
   * @param totalBytes the memory of each device
   * @param lock the lock of all its state
   */
  Driver(int deviceCount, long totalBytes, Object lock) {
    AtomicLong nextHandle = new AtomicLong(FIRST_HANDLE);
    gpus = new Gpus(deviceCount, totalBytes, failures);
    streams = new Streams(nextHandle, failures);
    streamFunctions = new StreamFunctions(gpus, streams, nextHandle);
    memoryFunctions = new MemoryFunctions(gpus, streams, addresses);
    virtualMemoryFunctions = new VirtualMemoryFunctions(gpus, addresses, nextHandle);
    library = new NativeFunctions(failures, lock);
    library.add(new DeviceFunctions(gpus));
    library.add(new CopyFunctions(gpus, streams, addresses));
    library.add(streamFunctions);
    library.add(memoryFunctions);
    library.add(virtualMemoryFunctions);
  }

  FailurePlan failures() {
    return failures;
  }

  Gpus gpus() {
    return gpus;
  }

  NativeFunctions library() {
    return library;
  }

  /** {@return the number of live objects} */
  long alive(Kind kind) {
    return switch (kind) {
      case ALLOCATIONS -> addresses.count(Extent.Allocation.class);
      case RESERVATIONS -> virtualMemoryFunctions.reservationCount();
      case MAPPINGS -> addresses.count(Extent.Mapping.class);
      case PHYSICALS -> virtualMemoryFunctions.physicalCount();
      case STREAMS -> streams.count();
      case EVENTS -> streamFunctions.eventCount();
      case PINNED -> memoryFunctions.pinnedCount();
    };
  }

  @Override
  public void close() {
    library.close();
  }
}
