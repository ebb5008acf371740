package dev.stowage.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A workload for all allocators, a column of a table.
 *
 * @param title the title of the column
 * @param benchmark the class of the benchmark
 * @param parameters the parameters of the benchmark, without the allocator
 * @param threads the number of concurrent threads
 * @param operations the number of operations of the table in one operation of JMH
 * @param zeroedBytes the approximate bytes that an allocator writes if it fills memory with zeros
 */
record AllocatorCase(
    String title,
    Class<?> benchmark,
    Map<String, String> parameters,
    int threads,
    int operations,
    long zeroedBytes) {

  /** {@return pairs with few to many live blocks, with both distributions of sizes} */
  static List<AllocatorCase> pairs() {
    List<AllocatorCase> cases = new ArrayList<>();
    for (SizeDistribution sizes : List.of(SizeDistribution.UNIFORM, SizeDistribution.LOG_UNIFORM)) {
      for (int live : new int[] {1, 100, 1_000, 100_000}) {
        cases.add(pairs(live, sizes));
      }
    }
    return cases;
  }

  /** {@return the main workloads: 1,000 and 100,000 live blocks with log-uniform sizes} */
  static List<AllocatorCase> fewPairs() {
    return List.of(
        pairs(1_000, SizeDistribution.LOG_UNIFORM), pairs(100_000, SizeDistribution.LOG_UNIFORM));
  }

  /**
   * {@return pairs by several threads on one allocator, 1,000 live blocks with log-uniform sizes}
   */
  static List<AllocatorCase> pairsByThreads() {
    return pairsByThreads(SizeDistribution.LOG_UNIFORM);
  }

  /** {@return pairs by several threads on one allocator, 1,000 live blocks of 64 sizes} */
  static List<AllocatorCase> fewSizesByThreads() {
    return pairsByThreads(SizeDistribution.LOG_UNIFORM_OF_64);
  }

  private static List<AllocatorCase> pairsByThreads(SizeDistribution sizes) {
    List<AllocatorCase> cases = new ArrayList<>();
    for (int threads : new int[] {1, 2, 4, 8}) {
      String title = threads == 1 ? "1 thread" : threads + " threads";
      cases.add(pairs(1_000, sizes, threads, title));
    }
    return cases;
  }

  private static AllocatorCase pairs(int live, SizeDistribution sizes) {
    String words = sizes.name().toLowerCase(Locale.ROOT).replace('_', '-');
    return pairs(live, sizes, 1, String.format(Locale.ROOT, "%,d %s", live, words));
  }

  private static AllocatorCase pairs(int live, SizeDistribution sizes, int threads, String title) {
    return new AllocatorCase(
        title,
        AllocatorPairsBenchmark.class,
        Map.of("live", Integer.toString(live), "sizes", sizes.name()),
        threads,
        1,
        (long) (live * sizes.meanBytes()));
  }

  /**
   * {@return the events of a trace}
   *
   * @param source a file, or {@code network-N}
   */
  static AllocatorCase trace(String source) throws IOException {
    TraceEvents events = TraceEvents.of(source);
    return new AllocatorCase(
        Path.of(source).getFileName().toString().replaceFirst("\\..*", ""),
        AllocatorTraceBenchmark.class,
        Map.of("source", source),
        1,
        events.count(),
        events.totalBytes());
  }
}
