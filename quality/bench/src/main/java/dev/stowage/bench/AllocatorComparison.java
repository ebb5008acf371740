package dev.stowage.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** A comparison of allocators, which prints tables in Markdown. */
public final class AllocatorComparison {

  private static final String USAGE =
      """
      AllocatorComparison [--quick] [pairs] [threads] [sizes] [TRACE...]
        pairs     free a random block and allocate another: 1 to 100,000 live blocks, two distributions
        threads   the same, with 1 to 8 threads on one allocator
        sizes     the same as threads, with 64 sizes, which a front cache is for
        TRACE     the events of a file for ./stowage replay
        --quick   only pairs with 1,000 and 100,000 live blocks of log-uniform sizes
      Without other words, it runs pairs, threads and sizes; with --quick, only pairs.
      """;

  private AllocatorComparison() {}

  /**
   * Runs the benchmarks and prints the tables.
   *
   * @param arguments the arguments that the usage describes
   */
  public static void main(String... arguments) throws IOException, InterruptedException {
    Optional<String> unknown =
        List.of(arguments).stream().filter(AllocatorComparison::isUnknown).findFirst();
    if (unknown.isPresent()) {
      System.err.print(USAGE);
      System.exit(unknown.get().equals("--help") ? 0 : 2);
    }
    if (wantsStaticTls()) {
      System.exit(startWithStaticTls(arguments));
    }
    compare(new ArrayList<>(List.of(arguments)));
  }

  private static boolean isUnknown(String argument) {
    return argument.startsWith("-") && !argument.equals("--quick");
  }

  /** Removes the known options from a list; the rest are traces. */
  private static void compare(List<String> words) throws IOException {
    boolean quick = words.remove("--quick");
    boolean everything = words.isEmpty();
    boolean pairs = words.remove("pairs") || everything;
    boolean threads = words.remove("threads") || (everything && !quick);
    boolean sizes = words.remove("sizes") || (everything && !quick);
    List<AllocatorCase> traces = new ArrayList<>();
    for (String word : words) {
      traces.add(AllocatorCase.trace(word));
    }
    if (pairs) {
      print("Pairs", quick ? AllocatorCase.fewPairs() : AllocatorCase.pairs());
    }
    if (threads) {
      print("Pairs by threads, 1,000 log-uniform", AllocatorCase.pairsByThreads());
    }
    if (sizes) {
      print("Pairs by threads, 1,000 of 64 sizes", AllocatorCase.fewSizesByThreads());
    }
    if (!traces.isEmpty()) {
      print("Events of traces", traces);
    }
  }

  private static void print(String title, List<AllocatorCase> cases) {
    ComparisonTable table =
        new ComparisonRun(System.err, new OptionsBuilder().build()).table(cases);
    System.out.printf("## %s%n%n%s%n", title, table.markdown());
  }

  /** {@return true if jemalloc is installed and cannot be loaded} */
  private static boolean wantsStaticTls() {
    return System.getProperty("os.name").equals("Linux")
        && !tunables().contains(JemallocPeer.STATIC_TLS);
  }

  private static String tunables() {
    return System.getenv().getOrDefault(JemallocPeer.TUNABLES, "");
  }

  /** Runs the comparison in another process and {@return its exit status} */
  private static int startWithStaticTls(String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(AllocatorComparison.class.getName());
    command.addAll(List.of(arguments));
    ProcessBuilder process = new ProcessBuilder(command).inheritIO();
    Map<String, String> environment = process.environment();
    environment.merge(
        JemallocPeer.TUNABLES, JemallocPeer.STATIC_TLS, (old, added) -> old + ":" + added);
    return process.start().waitFor();
  }
}
