package dev.stowage.onnxruntime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StreamOrderTest {

  private static final long A = 1;
  private static final long B = 2;
  private static final long ADDRESS = 1 << 20;
  private static final long UNIT = 256;

  private final List<String> synchronizations = new ArrayList<>();
  private final StreamOrder order = new StreamOrder(() -> synchronizations.add("once"));

  private void useOnce(long address, long bytes, long stream) {
    order.begin(address, bytes, stream);
    order.end(address);
  }

  @Test
  void begin_memoryThatWasNeverUsed_doesNotWait() {
    order.begin(ADDRESS, 1000, A);
    order.begin(ADDRESS + 1024, 1000, StreamOrder.UNKNOWN);
    assertThat(order.waits()).isZero();
  }

  @Test
  void begin_memoryOfTheSameStream_doesNotWait() {
    useOnce(ADDRESS, 1000, A);
    useOnce(ADDRESS, 300, A);
    useOnce(ADDRESS + 256, 5000, A);
    assertThat(synchronizations).isEmpty();
  }

  @Test
  void begin_memoryOfAnotherStream_waitsOnce() {
    useOnce(ADDRESS, 1000, A);
    useOnce(ADDRESS + 1024, 1000, A);
    useOnce(ADDRESS + 768, 1, B); // the last unit of the first chunk
    assertThat(order.waits()).isOne();
    useOnce(ADDRESS + 1024, 1000, B); // its use had ended before the wait
    assertThat(order.waits()).isOne();
    useOnce(ADDRESS + 768, 1, A);
    assertThat(order.waits()).isEqualTo(2);
  }

  @Test
  void begin_memoryWithoutAStream_waits() {
    useOnce(ADDRESS, 1000, StreamOrder.UNKNOWN);
    useOnce(ADDRESS, 1000, StreamOrder.UNKNOWN);
    assertThat(order.waits()).isOne();
    order.begin(ADDRESS, 1000, A);
    assertThat(order.waits()).isEqualTo(2);
  }

  @Test
  void begin_freeWhileTheDeviceIsSynchronized_isNotForgotten() {
    List<StreamOrder> orders = new ArrayList<>();
    StreamOrder slow = new StreamOrder(() -> orders.getFirst().end(ADDRESS));
    orders.add(slow);
    slow.begin(ADDRESS, 1000, A);
    slow.synchronizeDevice(); // work that was queued for the memory may not have completed
    slow.begin(ADDRESS, 1000, B);
    assertThat(slow.waits()).isOne();
  }

  @Test
  void begin_deviceFails_throwsAndTheMarkIsKept() {
    StreamOrder failing =
        new StreamOrder(() -> {
          throw new IllegalStateException("lost");
        });
    failing.begin(ADDRESS, 1000, A);
    failing.end(ADDRESS);
    assertThatThrownBy(() -> failing.begin(ADDRESS, 1000, B)).hasMessage("lost");
    assertThatThrownBy(() -> failing.begin(ADDRESS, 1000, B)).hasMessage("lost");
    failing.begin(ADDRESS, 1000, A);
    failing.checkInvariants();
  }

  static LongStream seeds() {
    return Seeds.of(50);
  }

  /** The last stream of each unit of memory since the last synchronization. */
  private static final class NaiveOrder {

    private static final long NO_STREAM = -1;

    private final long[] last = new long[64];
    private long waits;

    NaiveOrder() {
      Arrays.fill(last, NO_STREAM);
    }

    void begin(int first, int end, long stream) {
      boolean mustWait = false;
      for (int unit = first; unit < end; unit++) {
        mustWait |=
            last[unit] != NO_STREAM && (last[unit] != stream || stream == StreamOrder.UNKNOWN);
      }
      if (mustWait) {
        waits++;
        synchronize();
      }
      Arrays.fill(last, first, end, NO_STREAM);
    }

    void end(int first, int end, long stream) {
      Arrays.fill(last, first, end, stream);
    }

    void synchronize() {
      Arrays.fill(last, NO_STREAM);
    }
  }

  private record Use(int first, int end, long stream) {

    boolean overlaps(Use other) {
      return Math.max(first, other.first) < Math.min(end, other.end);
    }

    long address() {
      return ADDRESS + first * UNIT;
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyUses_waitAsTheNaiveOrderDoes(long seed) {
    Random random = new Random(seed);
    NaiveOrder naive = new NaiveOrder();
    int streams = 1 + random.nextInt(4);
    List<Use> uses = new ArrayList<>();
    for (int step = 0; step < 500; step++) {
      if (random.nextInt(100) == 0) {
        order.synchronizeDevice();
        naive.synchronize();
      } else if (!uses.isEmpty() && random.nextBoolean()) {
        Use ended = uses.remove(random.nextInt(uses.size()));
        naive.end(ended.first(), ended.end(), ended.stream());
        order.end(ended.address());
      } else {
        newUse(random, streams, uses)
            .ifPresent(use -> {
              naive.begin(use.first(), use.end(), use.stream());
              long bytes = (use.end() - use.first()) * UNIT - random.nextInt((int) UNIT);
              order.begin(use.address(), bytes, use.stream());
              uses.add(use);
            });
      }
      order.checkInvariants();
      assertThat(order.waits()).as("step %d", step).isEqualTo(naive.waits);
    }
  }

  private static Optional<Use> newUse(Random random, int streams, List<Use> uses) {
    int first = random.nextInt(64);
    int end = Math.min(64, first + 1 + random.nextInt(8));
    Use use = new Use(first, end, random.nextInt(streams + 1)); // 0 is no stream
    return uses.stream().anyMatch(use::overlaps) ? Optional.empty() : Optional.of(use);
  }
}
