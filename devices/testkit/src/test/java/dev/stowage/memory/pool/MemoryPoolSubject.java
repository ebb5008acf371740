package dev.stowage.memory.pool;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.HostMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A {@link MemoryPool} over regions that are refused, or not taken back, at random. */
final class MemoryPoolSubject implements PoolSoak.Subject {

  private static final long LIMIT = 1 << 20;

  private final PoolSoak.Counts counts;
  private final HostMemory host = HostMemory.open();
  private final FaultyRegions regions;
  private final MemoryPool pool;
  private final SoakBudgets<PoolBudget> budgets;
  private final Optional<Arena> common;
  private final boolean isDebugging;
  private final boolean isZeroing;

  MemoryPoolSubject(Random random, PoolSoak.Counts counts) {
    this.counts = counts;
    BfcOptions options =
        switch (random.nextInt(3)) {
          case 0 -> BfcOptions.oneRegion(LIMIT);
          case 1 -> BfcOptions.expandable().withLimit(LIMIT).withTrimThreshold(LIMIT / 8);
          default -> BfcOptions.growing().withFirstRegion(LIMIT / 16).withLimit(LIMIT);
        };
    options = random.nextBoolean() ? options.withGarbageCollection() : options;
    options = random.nextInt(3) == 0 ? options.withFrontCache(LIMIT / 4) : options;
    isDebugging = random.nextInt(3) == 0;
    PoolOptions poolOptions = PoolOptions.standard();
    poolOptions = isDebugging ? poolOptions.withDebugging() : poolOptions;
    poolOptions = random.nextBoolean() ? poolOptions.withoutZeroing() : poolOptions;
    isZeroing = poolOptions.isZeroing();
    regions =
        new FaultyRegions(
            host.newSubAllocator(options),
            new Random(random.nextLong()),
            counts,
            random.nextInt(20),
            random.nextInt(20));
    pool = MemoryPool.over("soak", regions, options, poolOptions);
    budgets = SoakBudgets.of(pool.openBudget("root", LIMIT / 2), random);
    // With memory of this thread, the others cannot close the pool.
    common = random.nextInt(4) == 0 ? Optional.empty() : Optional.of(pool.openSharedArena());
    common.ifPresent(arena -> arena.allocate(0));
  }

  @Override
  public PoolSoak.Participant participant(Random random) {
    return new User(random);
  }

  @Override
  public void end() throws Exception {
    regions.repair();
    common.ifPresent(Arena::close);
    if (common.isEmpty()) {
      pool.close(); // again, if a region was not taken back
    }
    pool.checkInvariants();
    if (pool.waitingRequests() != 0) {
      throw new AssertionError("requests wait: " + pool.waitingRequests());
    }
    if (!pool.inUse().isEmpty()) {
      throw new AssertionError("leaked: " + pool.inUse());
    }
    budgets.close();
    pool.close();
    if (host.regionCount() != 0) {
      throw new AssertionError("regions are not returned: " + host.regionCount());
    }
    host.close();
  }

  private final class User implements PoolSoak.Participant {

    private final Random random;
    private final List<MemoryBlock> held = new ArrayList<>();

    User(Random random) {
      this.random = random;
    }

    @Override
    public boolean step() throws InterruptedException {
      try {
        operate();
      } catch (BfcOutOfMemoryException _) {
        counts.count("out of memory");
        closeOne();
      } catch (DeviceException _) {
        counts.count("device failures");
      } catch (IllegalStateException refused) {
        String message = refused.getMessage();
        if (common.isEmpty()
            && message.matches("(pool|allocator) 'soak' is closed|Already closed")) {
          return false;
        }
        if (!message.contains(" is being closed") && !message.endsWith(" is closing it")) {
          throw refused;
        }
        counts.count("refused while closing");
      }
      return true;
    }

    private void operate() throws InterruptedException {
      switch (random.nextInt(300)) {
        case 0 -> pool.trim();
        case 1, 2 -> pool.setLimit(4096 + random.nextLong(2 * LIMIT));
        case 3 -> pool.setLimit(LIMIT);
        case 4 -> {
          if (isDebugging) {
            pool.checkFreed();
          }
        }
        case 5 -> pool.allocations();
        case 6 -> keep(pool.allocateShared(request()));
        case 7 -> common.ifPresent(arena -> fill(arena.allocate(1 + random.nextInt(200))));
        case 8 -> tryToClose();
        case 9 -> useCounted();
        default -> {
          switch (random.nextInt(4)) {
            case 0 -> useArena();
            case 1 -> allocate();
            default -> closeOne();
          }
        }
      }
    }

    private void tryToClose() throws InterruptedException {
      counts.count("attempted closes");
      Duration timeout = Duration.ofNanos(random.nextInt(1 << random.nextInt(1, 24)));
      if (pool.closeWithin(timeout).isClosed()) {
        counts.count("closes");
        if (common.isPresent()) {
          throw new AssertionError("closed with an open arena of another thread");
        }
      }
    }

    private void useCounted() {
      CountedBlock block = pool.allocateCounted(random.nextInt(10_000));
      fill(block.segment());
      block.retain();
      block.release();
      check(block.segment());
      try {
        block.release();
      } catch (DeviceException _) {
        counts.count("device failures"); // the memory is free
      }
    }

    private PoolRequest request() {
      long bytes = random.nextLong(LIMIT >> random.nextInt(1, 18));
      PoolRequest request = PoolRequest.of(bytes).withAlignment(1L << random.nextInt(13));
      return budgets.any(random).map(request::chargedTo).orElse(request);
    }

    private void allocate() throws InterruptedException {
      switch (random.nextInt(4)) {
        case 0 -> pool.tryAllocate(request()).ifPresent(this::keep);
        case 1 -> keep(pool.allocate(random.nextInt(5000)));
        case 2 -> keep(AllocationTag.of("tag").call(() -> pool.allocate(request())));
        default ->
            keep(
                pool.allocateOrWait(
                    request(), Duration.ofNanos(random.nextInt(1 << random.nextInt(23)))));
      }
    }

    private void useArena() {
      List<MemorySegment> segments = new ArrayList<>();
      try (Arena arena = pool.openArena()) {
        for (int i = random.nextInt(6); i > 0; i--) {
          segments.add(fill(arena.allocate(random.nextLong(LIMIT >> random.nextInt(4, 18)), 8)));
        }
        segments.forEach(MemoryPoolSubject::check);
      } catch (DeviceException _) {
        counts.count("device failures"); // the memory is free
      }
    }

    /** Fills new memory, and checks before that it is zero, if the pool zeroes it. */
    private MemorySegment fill(MemorySegment segment) {
      if (isZeroing) {
        checkZero(segment);
      }
      return segment.fill((byte) random.nextInt());
    }

    private void keep(MemoryBlock block) {
      fill(block.segment());
      held.add(block);
    }

    private void closeOne() {
      if (!held.isEmpty()) {
        MemoryBlock block = held.remove(random.nextInt(held.size()));
        if (common.isPresent() || block.segment().scope().isAlive()) {
          check(block.segment());
        }
        try {
          block.close();
        } catch (DeviceException _) {
          counts.count("device failures"); // the memory is free
        }
      }
    }

    @Override
    public void end() {
      while (!held.isEmpty()) {
        closeOne();
      }
    }
  }

  private static void checkZero(MemorySegment segment) {
    check(segment);
    if (segment.byteSize() > 0 && segment.get(ValueLayout.JAVA_BYTE, 0) != 0) {
      throw new AssertionError("new memory is not zero: " + segment);
    }
  }

  /** Checks that all bytes are equal, as they were written. */
  private static void check(MemorySegment segment) {
    if (segment.byteSize() > 0) {
      byte first = segment.get(ValueLayout.JAVA_BYTE, 0);
      long mismatch =
          segment.asSlice(1).mismatch(segment.asSlice(0, segment.byteSize() - 1)); // shifted by one
      if (mismatch >= 0) {
        throw new AssertionError("overwritten at " + mismatch + ", first byte " + first);
      }
    }
  }
}
