package dev.stowage.memory.pool;

import dev.stowage.allocator.AllocationBudget;
import dev.stowage.allocator.AllocationSource;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.internal.AllocatorInternals;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.testkit.SimulatedDevice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/** A {@link BfcAllocator} on a faulty device. */
final class AllocatorSubject implements PoolSoak.Subject {

  private static final long LIMIT = 1 << 20;

  private final PoolSoak.Counts counts;
  private final SimulatedDevice device = new SimulatedDevice("soak", 4 * LIMIT);
  private final FaultyRegions regions;
  private final BfcAllocator allocator;
  private final SoakBudgets<AllocationBudget> budgets;
  private final boolean isClosedEarly;

  /** The owner of each address in use. */
  private final Map<Long, Thread> owners = new ConcurrentHashMap<>();

  AllocatorSubject(Random random, PoolSoak.Counts counts) {
    this.counts = counts;
    regions =
        new FaultyRegions(
            device, new Random(random.nextLong()), counts, random.nextInt(40), random.nextInt(30));
    BfcOptions options =
        switch (random.nextInt(3)) {
          case 0 -> BfcOptions.oneRegion(LIMIT);
          case 1 -> BfcOptions.expandable().withLimit(LIMIT).withTrimThreshold(LIMIT / 8);
          default -> BfcOptions.growing().withFirstRegion(LIMIT / 16).withLimit(LIMIT);
        };
    options = random.nextBoolean() ? options.withGarbageCollection() : options;
    options = random.nextBoolean() ? options.withFrontCache(LIMIT / 4) : options;
    allocator = new BfcAllocator("soak", regions, options);
    budgets =
        new SoakBudgets<>(
            AllocationBudget.root("root", allocator, LIMIT / 2),
            new SoakBudgets.Kind<>(
                AllocationBudget::child,
                each -> each.account().limitBytes(),
                each -> each.account().usedBytes(),
                AllocationBudget::close),
            random);
    isClosedEarly = random.nextInt(4) == 0;
  }

  @Override
  public PoolSoak.Participant participant(Random random) {
    return new User(random);
  }

  @Override
  public void end() {
    AllocatorInternals.of(allocator).checkInvariants();
    if (allocator.waitingRequests() != 0) {
      throw new AssertionError("requests wait: " + allocator.waitingRequests());
    }
    if (allocator.statistics().bytesInUse() != 0) {
      throw new AssertionError("leaked: " + allocator.inUse());
    }
    regions.repair();
    budgets.close();
    allocator.close();
    if (device.availableBytes() != device.totalBytes()) {
      throw new AssertionError("regions are not returned: " + device.availableBytes());
    }
    device.close();
  }

  private final class User implements PoolSoak.Participant {

    private final Random random;
    private final List<Long> held = new ArrayList<>();

    User(Random random) {
      this.random = random;
    }

    @Override
    public boolean step() throws InterruptedException {
      try {
        tryOperate();
        return true;
      } catch (IllegalStateException closed) {
        if (closed.getMessage().equals("allocator 'soak' is closed")) {
          return false;
        }
        throw closed;
      }
    }

    private void tryOperate() throws InterruptedException {
      try {
        operate();
      } catch (BfcOutOfMemoryException _) {
        counts.count("out of memory");
        freeOne();
      } catch (DeviceException _) {
        counts.count("device failures");
      }
    }

    private void operate() throws InterruptedException {
      switch (random.nextInt(400)) {
        case 0 -> allocator.trim();
        case 1 -> AllocatorInternals.of(allocator).checkInvariants();
        case 2, 3, 4 -> allocator.setLimit(256 + random.nextLong((2 * LIMIT) >> random.nextInt(4)));
        case 5 -> allocator.setLimit(LIMIT);
        case 6 -> allocator.report();
        case 7 -> closeEarly();
        default -> {
          if (random.nextBoolean()) {
            freeOne();
          } else {
            allocate();
          }
        }
      }
    }

    private void closeEarly() {
      if (isClosedEarly && random.nextInt(8) == 0) {
        counts.count("closes");
        allocator.close();
      }
    }

    private void allocate() throws InterruptedException {
      long bytes = 1 + random.nextLong(LIMIT >> random.nextInt(12));
      long alignment = 1L << random.nextInt(random.nextInt(4) == 0 ? 14 : 1);
      AllocationSource source = source();
      switch (random.nextInt(3)) {
        case 0 -> {
          OptionalLong address = source.tryAllocate(bytes, alignment);
          address.ifPresent(this::hold);
        }
        case 1 -> hold(source.allocate(bytes, alignment));
        default -> hold(source.allocateOrWait(bytes, alignment, timeout()));
      }
    }

    private AllocationSource source() {
      Optional<AllocationBudget> budget = budgets.any(random);
      return budget.isPresent() ? budget.get() : allocator;
    }

    private Duration timeout() {
      return Duration.ofNanos(random.nextInt(1 << random.nextInt(23)));
    }

    private void hold(long address) {
      Thread owner = owners.put(address, Thread.currentThread());
      if (owner != null && !isClosedEarly) {
        throw new AssertionError("allocated twice: " + address);
      }
      held.add(address);
    }

    private void freeOne() {
      if (!held.isEmpty()) {
        long address = held.remove(random.nextInt(held.size()));
        owners.remove(address);
        try {
          allocator.free(address);
        } catch (DeviceException _) {
          counts.count("device failures"); // the memory is free
        }
      }
    }

    @Override
    public void end() {
      try {
        while (!held.isEmpty()) {
          freeOne();
        }
      } catch (IllegalStateException closed) {
        if (!isClosedEarly) {
          throw closed;
        }
      }
    }
  }
}
