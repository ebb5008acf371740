package dev.stowage.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RmmPoolTest {

  static LongStream seeds() {
    return Seeds.of(400);
  }

  /** The pool with one list of free ranges, each with its stream. */
  private static final class NaivePool {

    private record Range(long address, long bytes, int region, long stream) {}

    private final List<Range> free = new ArrayList<>();
    private final List<Long> streams = new ArrayList<>();
    private final long limit;
    private long size;
    private int regions;

    NaivePool(long initial, long limit) {
      this.limit = limit;
      if (initial > 0) {
        use(0);
        grow(initial, 0);
      }
    }

    private void use(long stream) {
      if (!streams.contains(stream)) {
        streams.add(stream);
      }
    }

    private void grow(long bytes, long stream) {
      free.add(new Range(size, bytes, regions++, stream));
      size += bytes;
    }

    private void join() {
      for (Range a : List.copyOf(free)) {
        for (Range b : List.copyOf(free)) {
          if (a.address + a.bytes == b.address
              && a.region == b.region
              && a.stream == b.stream
              && free.contains(a)
              && free.contains(b)) {
            free.remove(a);
            free.remove(b);
            free.add(new Range(a.address, a.bytes + b.bytes, a.region, a.stream));
            join();
            return;
          }
        }
      }
    }

    private long take(long bytes, long stream) {
      Range best = null;
      for (Range range : free) {
        if (range.stream == stream
            && range.bytes >= bytes
            && (best == null
                || range.bytes < best.bytes
                || (range.bytes == best.bytes && range.address < best.address))) {
          best = range;
        }
      }
      if (best == null) {
        return -1;
      }
      free.remove(best);
      if (best.bytes > bytes) {
        free.add(new Range(best.address + bytes, best.bytes - bytes, best.region, stream));
      }
      return best.address;
    }

    long allocate(long requested, long stream) {
      long bytes = (requested + 255) / 256 * 256;
      use(stream);
      long address = take(bytes, stream);
      for (int i = 0; i < streams.size() && address < 0; i++) {
        address = take(bytes, streams.get(i));
      }
      for (int i = 0; i < streams.size() && address < 0; ) {
        long other = streams.get(i);
        if (other == stream) {
          i++;
          continue;
        }
        free.replaceAll(
            r -> r.stream == other ? new Range(r.address, r.bytes, r.region, stream) : r);
        streams.remove(i);
        join();
        address = take(bytes, stream);
      }
      if (address < 0) {
        long growth = Math.max(bytes, size);
        if (limit != Long.MAX_VALUE) {
          long rest = (limit - size + 255) / 256 * 256;
          growth = bytes <= rest ? Math.max(bytes, rest / 2) : 0;
        }
        if (growth == 0) {
          return -1;
        }
        grow(growth, stream);
        address = take(bytes, stream);
      }
      return address;
    }

    void free(long address, long requested, long stream, int region) {
      use(stream);
      free.add(new Range(address, (requested + 255) / 256 * 256, region, stream));
      join();
    }
  }

  private record Live(long address, long bytes, int region) {}

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void allocate_anyHistory_agreesWithTheModel(long seed) {
    Random random = new Random(seed);
    long limit = random.nextBoolean() ? Long.MAX_VALUE : (1 + random.nextInt(300)) * 256L;
    long initial = random.nextBoolean() ? 0 : Math.min(limit, random.nextInt(40) * 256L);
    RmmPool pool =
        new RmmPool(
            initial, limit == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(limit));
    NaivePool model = new NaivePool(initial, limit);
    int streams = 1 + random.nextInt(4);
    List<Live> live = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      long stream = random.nextInt(streams);
      if (!live.isEmpty() && random.nextInt(5) < 2) {
        Live freed = live.remove(random.nextInt(live.size()));
        pool.free(freed.address(), stream);
        model.free(freed.address(), freed.bytes(), stream, freed.region());
      } else {
        long bytes = 1L + random.nextInt(3000);
        long address = pool.allocate(bytes, stream, PoolNumber.DEFAULT);
        assertThat(address).isEqualTo(model.allocate(bytes, stream));
        if (address >= 0) {
          live.add(new Live(address, bytes, pool.regionOf(address).index()));
        }
      }
      assertThat(pool.reservedBytes()).isEqualTo(model.size);
      assertThat(pool.largestFreeBytes())
          .isEqualTo(model.free.stream().mapToLong(NaivePool.Range::bytes).max().orElse(0));
    }
  }

  @Test
  void allocate_beyondTheLimit_isRefusedWithTheNumbers() {
    RmmPool pool = new RmmPool(0, OptionalLong.of(1024));
    pool.allocate(300, 0, PoolNumber.DEFAULT);
    assertThat(pool.allocate(600, 0, PoolNumber.DEFAULT)).isEqualTo(SimulatedAllocator.REFUSED);
    assertThat(pool.refusal(600, 0, PoolNumber.DEFAULT).reason())
        .isEqualTo(
            "out of memory: 600 bytes requested on stream 0, which needs a block of 768 bytes."
                + " The limit permits 512 bytes more, 256 bytes too few. The largest free block has 0"
                + " bytes. In use: 512 bytes; cached: 0 bytes; reserved: 512 bytes; limit: 1 KiB"
                + " (1,024 bytes).");
  }

  @Test
  void new_wrongInitialBytes_isRejected() {
    assertThatThrownBy(() -> new RmmPool(100, OptionalLong.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("initialBytes must be a multiple of 256: initialBytes=100");
    assertThatThrownBy(() -> new RmmPool(1024, OptionalLong.of(512)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("initialBytes must be at most the limit: initialBytes=1024, limitBytes=512");
  }
}
