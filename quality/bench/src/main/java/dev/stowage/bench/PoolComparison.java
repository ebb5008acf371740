package dev.stowage.bench;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.MemoryBlock;
import dev.stowage.memory.pool.MemoryPool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** A comparison of pools, which prints tables in Markdown. */
public final class PoolComparison {

  private static final String USAGE =
      """
      PoolComparison [--quick] [sizes] [threads] [virtual] [handover] [resident]
        sizes     an allocation and its end, 16 B to 1 MiB, one thread
        threads   the same with 2, 4 and 8 threads, 64 B and 4 KiB
        virtual   the same with 8 virtual threads, each with a carrier
        handover  memory that another thread releases, with 1, 2, 4 and 8 threads
        resident  the memory of a million blocks
        --quick   one round instead of three, three sizes, 2 threads
      Without names, it runs all.
      """;

  private static final List<String> NAMES =
      List.of("sizes", "threads", "virtual", "handover", "resident");

  private static final List<Long> SIZES = List.of(16L, 64L, 512L, 4096L, 65_536L, 1L << 20);
  private static final List<Long> FEW_SIZES = List.of(64L, 4096L, 65_536L);
  private static final List<Long> SMALL_SIZES = List.of(64L, 4096L);
  private static final int BLOCKS = 1_000_000;

  private final boolean quick;

  private PoolComparison(boolean quick) {
    this.quick = quick;
  }

  /**
   * Runs the benchmarks and prints the tables.
   *
   * @param arguments the arguments that the usage describes
   */
  public static void main(String... arguments) throws IOException {
    List<String> words = new ArrayList<>(List.of(arguments));
    boolean quick = words.remove("--quick");
    if (!NAMES.containsAll(words)) {
      System.err.print(USAGE);
      System.exit(words.contains("--help") ? 0 : 2);
    }
    Set<String> names = Set.copyOf(words.isEmpty() ? NAMES : words);
    new PoolComparison(quick).run(names);
  }

  private void run(Set<String> names) throws IOException {
    if (names.contains("sizes")) {
      printUses("One thread", 1, false, quick ? FEW_SIZES : SIZES, EnumSet.allOf(PoolUse.class));
    }
    Set<PoolUse> fewUses =
        EnumSet.of(
            PoolUse.CONFINED,
            PoolUse.OPEN_ARENA,
            PoolUse.ALLOCATE,
            PoolUse.RAW,
            PoolUse.NETTY_ADAPTIVE,
            PoolUse.NETTY_POOLED,
            PoolUse.ARROW);
    List<Integer> threads = quick ? List.of(2) : List.of(2, 4, 8);
    if (names.contains("threads")) {
      for (int count : threads) {
        printUses(count + " threads", count, false, SMALL_SIZES, fewUses);
      }
    }
    if (names.contains("virtual")) {
      printUses("8 virtual threads", 8, true, SMALL_SIZES, fewUses);
    }
    if (names.contains("handover")) {
      for (int count : quick ? List.of(1, 2) : List.of(1, 2, 4, 8)) {
        printHandovers("Released by any of " + count + " threads", count);
      }
    }
    if (names.contains("resident")) {
      printResident();
    }
  }

  private void printUses(
      String title, int threads, boolean isVirtual, List<Long> sizes, Set<PoolUse> uses) {
    Table<PoolUse> table = new Table<>(PoolUse.class, PoolUse::title);
    for (int round = 0; round < (quick ? 1 : 3); round++) {
      for (long bytes : sizes) {
        for (PoolUse use : uses) {
          table.add(
              use,
              bytes,
              measure(PoolBenchmark.class, "use", use.name(), bytes, threads, isVirtual));
        }
      }
    }
    System.out.printf("## %s%n%n%s%n", title, table.markdown());
  }

  private void printHandovers(String title, int threads) {
    Table<PoolHandover> table = new Table<>(PoolHandover.class, PoolHandover::title);
    for (int round = 0; round < (quick ? 1 : 3); round++) {
      for (long bytes : SMALL_SIZES) {
        for (PoolHandover use : PoolHandover.values()) {
          table.add(
              use,
              bytes,
              measure(PoolHandoverBenchmark.class, "handover", use.name(), bytes, threads, false));
        }
      }
    }
    System.out.printf("## %s%n%n%s%n", title, table.markdown());
  }

  /** {@return the nanoseconds of an operation in each iteration} */
  private static double[] measure(
      Class<?> benchmark,
      String parameter,
      String value,
      long bytes,
      int threads,
      boolean isVirtual) {
    System.err.printf(Locale.ROOT, "%s, %d B, %d threads%n", value, bytes, threads);
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("\\b" + benchmark.getSimpleName() + "\\.")
            .param(parameter, value)
            .param("bytes", Long.toString(bytes))
            .threads(threads)
            // The throughputs of threads can be added, unlike their times.
            .mode(Mode.Throughput)
            .timeUnit(TimeUnit.MICROSECONDS)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
    if (isVirtual) {
      // The threads of JMH spin until all of them run, and each of them needs a carrier for that.
      options.jvmArgsAppend(
          "-Djmh.executor=VIRTUAL", "-Djdk.virtualThreadScheduler.parallelism=" + threads);
    }
    try {
      RunResult result = new Runner(options.build()).runSingle();
      return result.getAggregatedResult().getIterationResults().stream()
          .mapToDouble(each -> 1000 / each.getPrimaryResult().getScore())
          .sorted()
          .toArray();
    } catch (RunnerException e) {
      throw new IllegalStateException("the benchmark failed: " + value, e);
    }
  }

  /** Nanoseconds by use and size. */
  private static final class Table<U extends Enum<U>> {

    private final Map<U, Map<Long, double[]>> nanos;
    private final Function<U, String> title;

    Table(Class<U> uses, Function<U, String> title) {
      nanos = new EnumMap<>(uses);
      this.title = title;
    }

    void add(U use, long bytes, double[] more) {
      nanos
          .computeIfAbsent(use, _ -> new TreeMap<>())
          .merge(
              bytes,
              more,
              (old, added) -> {
                double[] all = Arrays.copyOf(old, old.length + added.length);
                System.arraycopy(added, 0, all, old.length, added.length);
                Arrays.sort(all);
                return all;
              });
    }

    String markdown() {
      StringBuilder text = new StringBuilder("| nanoseconds, fastest (median) |");
      Map<Long, double[]> first = nanos.values().iterator().next();
      first.keySet().forEach(bytes -> text.append(' ').append(size(bytes)).append(" |"));
      text.append("\n|---|").append("---|".repeat(first.size())).append('\n');
      nanos.forEach((use, bySize) -> {
        text.append("| ").append(title.apply(use)).append(" |");
        bySize
            .values()
            .forEach(all ->
                text.append(
                    String.format(
                        Locale.ROOT, " %s (%s) |", digits(all[0]), digits(all[all.length / 2]))));
        text.append('\n');
      });
      return text.toString();
    }

    private static String size(long bytes) {
      if (bytes < 1 << 10) {
        return bytes + " B";
      }
      return bytes < 1 << 20 ? (bytes >> 10) + " KiB" : (bytes >> 20) + " MiB";
    }

    private static String digits(double value) {
      return value < 99.95
          ? String.format(Locale.ROOT, "%.1f", value)
          : String.format(Locale.ROOT, "%,.0f", value);
    }
  }

  /** Prints the memory of the process for a million blocks. */
  private static void printResident() throws IOException {
    System.out.println("## A million blocks\n");
    System.out.println("| size | bytes in use of the pool | growth of the resident set |");
    System.out.println("|---|---|---|");
    for (long bytes : List.of(16L, 64L)) {
      try (HostMemory host = HostMemory.open();
          MemoryPool pool = MemoryPool.open("million", host, BfcOptions.expandable())) {
        MemoryBlock[] blocks = new MemoryBlock[BLOCKS];
        Optional<Long> before = residentKib();
        for (int i = 0; i < BLOCKS; i++) {
          blocks[i] = pool.allocate(bytes);
          blocks[i].segment().fill((byte) 1);
        }
        long inUse = pool.statistics().bytesInUse();
        Optional<Long> after = residentKib();
        String growth =
            before
                .flatMap(old -> after.map(now -> (now - old) / 1024 + " MiB, with the Java heap"))
                .orElse("unknown");
        System.out.printf(
            Locale.ROOT, "| %d B | %.1f MiB | %s |%n", bytes, inUse / 1048576.0, growth);
        for (MemoryBlock block : blocks) {
          block.close();
        }
      }
    }
  }

  private static Optional<Long> residentKib() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.isReadable(status)) {
      return Optional.empty();
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .map(line -> Long.valueOf(line.replaceAll("[^0-9]", "")))
        .findFirst();
  }
}
