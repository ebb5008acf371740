package dev.stowage.trace.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The chunks that no magazine holds, compared with a search of all of them. */
class BuddyReuseTest {

  private static final int CHUNK_BYTES = 1 << 20;

  static LongStream seeds() {
    return Seeds.of(60);
  }

  /** The rules of Netty as a list in the order of the search. */
  private static final class NaiveReuse {

    private record Held(int key, BuddyChunk chunk) {}

    private final List<Held> held = new ArrayList<>();
    private final Set<BuddyChunk> freed = new HashSet<>();
    private final int mostUnused;

    NaiveReuse(int mostUnused) {
      this.mostUnused = mostUnused;
    }

    void put(BuddyChunk chunk) {
      freed.remove(chunk);
      int key = chunk.remainingBytes();
      int at = 0;
      while (at < held.size() && held.get(at).key() < key) {
        at++;
      }
      held.add(at, new Held(key, chunk)); // before equal ones
    }

    void freedIn(BuddyChunk chunk) {
      freed.add(chunk);
    }

    Optional<BuddyChunk> poll(int bytes) {
      for (Held each : held) {
        if (each.key() >= bytes) {
          held.remove(each);
          return Optional.of(each.chunk());
        }
      }
      Optional<BuddyChunk> best = Optional.empty();
      for (Held each : List.copyOf(held)) {
        if (freed.contains(each.chunk())) {
          held.remove(each);
          int free = each.chunk().remainingBytes();
          if (free >= bytes && (best.isEmpty() || free > best.get().remainingBytes())) {
            best.ifPresent(this::put);
            best = Optional.of(each.chunk());
          } else {
            put(each.chunk());
          }
        }
      }
      return best;
    }

    /** {@return the chunks that are given back} */
    List<BuddyChunk> offer(BuddyChunk chunk) {
      put(chunk);
      List<BuddyChunk> retired = new ArrayList<>();
      while (held.size() > mostUnused) {
        Optional<Held> unused = held.stream().filter(each -> each.chunk().isUnused()).findFirst();
        if (unused.isEmpty()) {
          break;
        }
        held.remove(unused.get());
        retired.add(unused.get().chunk());
      }
      return retired;
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void anyRequests_findTheChunksOfASearch(long seed) {
    Random random = new Random(seed);
    NettyChunks memory = new NettyChunks(OptionalLong.empty());
    int mostUnused = random.nextInt(6);
    BuddyReuse reuse = new BuddyReuse(mostUnused);
    NaiveReuse naive = new NaiveReuse(mostUnused);
    Map<BuddyChunk, List<NettyBuffer>> buffers = new HashMap<>();
    List<BuddyChunk> chunks = new ArrayList<>();
    List<BuddyChunk> retired = new ArrayList<>();
    for (int step = 0; step < 400; step++) {
      if (random.nextInt(3) == 0 && !chunks.isEmpty()) {
        BuddyChunk chunk = chunks.get(random.nextInt(chunks.size()));
        List<NettyBuffer> live = buffers.getOrDefault(chunk, List.of());
        if (!live.isEmpty()) {
          naive.freedIn(chunk);
          live.remove(random.nextInt(live.size())).release().accept(0L);
        }
        continue;
      }
      int bytes = 1 << (15 + random.nextInt(5));
      Optional<BuddyChunk> found = reuse.poll(bytes);
      assertThat(found).isEqualTo(naive.poll(bytes));
      BuddyChunk chunk =
          found.orElseGet(() -> new BuddyChunk(memory, memory.add(CHUNK_BYTES, "all")));
      if (!buffers.containsKey(chunk)) {
        buffers.put(chunk, new ArrayList<>());
        chunks.add(chunk);
      }
      for (int i = random.nextInt(4); i > 0; i--) {
        chunk.take(1 << (15 + random.nextInt(5))).ifPresent(buffers.get(chunk)::add);
      }
      retired.addAll(naive.offer(chunk));
      reuse.offer(chunk);
      chunks.removeAll(retired);
      assertThat(memory.all()).hasSize(chunks.size());
    }
  }
}
