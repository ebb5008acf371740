package dev.stowage.cuda.standin;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.SymbolLookup;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The stand-in for the driver, as a field of a test class. It is new for each test, which must give
 * everything back. It has two devices of 1 GiB until {@link #reset}.
 */
public final class StandIn implements AfterEachCallback {

  public static final long TOTAL_BYTES = 1L << 30;

  /** The granularity of its virtual memory. */
  public static final long GRANULE_BYTES = VirtualMemoryFunctions.GRANULE_BYTES;

  /** The address of the first memory of a device. */
  public static final long FIRST_ADDRESS = AddressSpace.FIRST_ADDRESS;

  public static final int ILLEGAL_ADDRESS = Result.ILLEGAL_ADDRESS.code();
  public static final int UNKNOWN = Result.UNKNOWN.code();

  /** The lock of the driver's state. */
  private final Object lock = new Object();

  private Driver driver = new Driver(2, TOTAL_BYTES, lock);

  /** {@return the functions of the driver, until the test ends} */
  public SymbolLookup functions() {
    return driver.library();
  }

  /** Replaces the driver by a new one. */
  public void reset(int deviceCount, long totalBytes) {
    checkMistakes();
    driver.close();
    driver = new Driver(deviceCount, totalBytes, lock);
  }

  /** Removes virtual memory and unified memory from all devices. */
  public void takeVirtualMemory() {
    synchronized (lock) {
      driver.gpus().takeVirtualMemory();
    }
  }

  /**
   * Lets a call fail.
   *
   * @param function its name; {@code work} for the copies and fills of streams, when they happen
   * @param call the number of the call from now on, 1 being the next; 0 for no failure
   */
  public void fail(String function, int call, int code) {
    synchronized (lock) {
      driver.failures().set(function, call, code);
    }
  }

  /**
   * {@return the names of the functions that an action calls, in order, without {@code _v2} and
   * without those for the context of the thread}
   */
  public List<String> calls(Runnable action) {
    int before = driver.library().calls().size();
    action.run();
    List<String> all = driver.library().calls();
    return all.subList(before, all.size()).stream()
        .filter(name -> !name.equals("cuCtxGetCurrent") && !name.equals("cuCtxSetCurrent"))
        .map(name -> name.replace("_v2", ""))
        .toList();
  }

  /** {@return the number of live objects} */
  public long alive(Kind kind) {
    synchronized (lock) {
      return driver.alive(kind);
    }
  }

  /** {@return the number of users of a device's context} */
  public long contexts(int device) {
    synchronized (lock) {
      return driver.gpus().all().get(device).contextCount();
    }
  }

  /** {@return the used memory of a device} */
  public long usedBytes(int device) {
    synchronized (lock) {
      return driver.gpus().all().get(device).usedBytes();
    }
  }

  /** {@return the device whose context this thread has; -1 if there is none} */
  public int currentDevice() {
    synchronized (lock) {
      return driver.gpus().currentOrdinal();
    }
  }

  /** Gives this thread the context of a device, or none for -1. */
  public void setCurrentDevice(int device) {
    synchronized (lock) {
      driver.gpus().setCurrentOrdinal(device);
    }
  }

  private void checkMistakes() {
    List<Throwable> mistakes = driver.library().mistakes();
    if (!mistakes.isEmpty()) {
      throw new AssertionError("a function of the stand-in threw", mistakes.getFirst());
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    checkMistakes();
    if (context.getExecutionException().isEmpty()) {
      for (Kind kind : Kind.values()) {
        assertThat(alive(kind)).as(kind + " that are left").isZero();
      }
      assertThat(driver.gpus().all())
          .as("devices with contexts or bytes that are left")
          .allMatch(gpu -> gpu.contextCount() == 0 && gpu.usedBytes() == 0);
      driver.close(); // not after a failure: objects that are left can call it later
    }
  }
}
