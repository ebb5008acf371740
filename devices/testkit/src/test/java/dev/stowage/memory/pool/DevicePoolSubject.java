package dev.stowage.memory.pool;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.DeviceException;
import dev.stowage.memory.device.DeviceStream;
import dev.stowage.testkit.SimulatedDevice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;

/** A {@link DevicePool} on a device whose calls fail at random. */
final class DevicePoolSubject implements PoolSoak.Subject {

  private static final long LIMIT = 1 << 18;
  private static final Duration FOREVER = Duration.ofDays(1);

  private final PoolSoak.Counts counts;
  private final SimulatedDevice device = new SimulatedDevice("soak", 4 * LIMIT);
  private final DevicePool pool;
  private final SoakBudgets<PoolBudget> budgets;
  private final boolean isClosedEarly;

  DevicePoolSubject(Random random, PoolSoak.Counts counts) {
    this.counts = counts;
    BfcOptions options =
        switch (random.nextInt(3)) {
          case 0 -> BfcOptions.oneRegion(LIMIT);
          case 1 -> BfcOptions.expandable().withLimit(LIMIT);
          default -> BfcOptions.growing().withFirstRegion(4096).withLimit(LIMIT);
        };
    options = random.nextBoolean() ? options.withGarbageCollection() : options;
    pool = DevicePool.open("soak", device, options);
    budgets = SoakBudgets.of(pool.openBudget("root", LIMIT / 2), random);
    isClosedEarly = random.nextInt(4) == 0;
  }

  @Override
  public PoolSoak.Participant participant(Random random) {
    return new User(random);
  }

  @Override
  public void end() throws Exception {
    device.failAt(0); // no call fails from now on
    boolean isMore = true;
    while (isMore) {
      try {
        isMore = device.runNext();
      } catch (IllegalArgumentException wrong) {
        isOfReturnedMemory(wrong);
      }
    }
    pool.checkInvariants();
    if (pool.waitingRequests() != 0) {
      throw new AssertionError("requests wait: " + pool.waitingRequests());
    }
    if (!pool.closeWithin(FOREVER).isClosed()) {
      throw new AssertionError("the pool cannot be closed");
    }
    budgets.close();
    if (device.availableBytes() != device.totalBytes()) {
      throw new AssertionError("regions are not returned: " + device.availableBytes());
    }
    device.close();
  }

  /** {@return true if queued work used memory that a closed pool returned} */
  private boolean isOfReturnedMemory(IllegalArgumentException wrong) {
    if (!isClosedEarly || !wrong.getMessage().startsWith("no region of device ")) {
      throw wrong;
    }
    counts.count("work after a close");
    return true;
  }

  private final class User implements PoolSoak.Participant {

    private final Random random;
    private final List<Long> held = new ArrayList<>();
    private final DeviceStream stream = device.openStream();

    User(Random random) {
      this.random = random;
    }

    @Override
    public boolean step() throws InterruptedException {
      try {
        tryOperate();
        return true;
      } catch (IllegalStateException refused) {
        if (refused.getMessage().contains(" is being closed by thread ")) {
          counts.count("refused while closing");
          return true;
        }
        if (isClosedEarly && refused.getMessage().equals("allocator 'soak' is closed")) {
          return false;
        }
        throw refused;
      } catch (IllegalArgumentException wrong) {
        return !isOfReturnedMemory(wrong);
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
      switch (random.nextInt(200)) {
        case 0 -> pool.trim();
        case 1 -> pool.checkInvariants();
        case 2 -> pool.setLimit(256 + random.nextLong(2 * LIMIT));
        case 3 -> pool.setLimit(LIMIT);
        case 4 -> device.failAt(1 + random.nextInt(20));
        case 5 -> pool.chunks();
        case 6 -> synchronizeStream();
        case 7 -> tryToClose();
        default -> {
          if (random.nextInt(3) == 0) {
            device.runNext();
          } else if (random.nextBoolean()) {
            freeOne();
          } else {
            allocate();
          }
        }
      }
    }

    private void tryToClose() throws InterruptedException {
      if (isClosedEarly && random.nextInt(4) == 0) {
        counts.count("attempted closes");
        if (pool.closeWithin(Duration.ofNanos(random.nextInt(1 << 22))).isClosed()) {
          counts.count("closes");
        }
      }
    }

    private void synchronizeStream() {
      try {
        stream.synchronize();
      } catch (DeviceException _) {
        counts.count("failed work");
      }
    }

    private void allocate() throws InterruptedException {
      long bytes = 1 + random.nextLong(LIMIT >> random.nextInt(1, 10));
      PoolRequest request = PoolRequest.of(bytes).withAlignment(1L << random.nextInt(12));
      request = budgets.any(random).map(request::chargedTo).orElse(request);
      switch (random.nextInt(3)) {
        case 0 -> {
          OptionalLong address = pool.tryAllocate(request, stream);
          address.ifPresent(at -> use(at, bytes));
        }
        case 1 -> use(pool.allocate(request, stream), bytes);
        default -> {
          Duration timeout = Duration.ofNanos(random.nextInt(1 << random.nextInt(23)));
          use(pool.allocateOrWait(request, stream, timeout), bytes);
        }
      }
    }

    private void use(long address, long bytes) {
      held.add(address);
      try {
        stream.fill(address, bytes, (byte) 1);
      } catch (DeviceException _) {
        counts.count("device failures");
      }
    }

    private void freeOne() {
      if (!held.isEmpty()) {
        long address = held.remove(random.nextInt(held.size()));
        if (random.nextInt(4) == 0) {
          synchronizeStream();
          pool.free(address);
        } else {
          pool.free(address, stream);
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
      } catch (IllegalArgumentException wrong) {
        isOfReturnedMemory(wrong);
      }
      try {
        stream.close();
      } catch (DeviceException _) {
        counts.count("failed work");
      } catch (IllegalArgumentException wrong) {
        isOfReturnedMemory(wrong);
      }
    }
  }
}
