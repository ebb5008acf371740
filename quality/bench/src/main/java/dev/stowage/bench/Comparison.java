package dev.stowage.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * The measurement of a claim of README, which prints a table in Markdown.
 *
 * <p>The rows of a column run one after the other, each in a process of its own, so that other load
 * on the machine affects their ratios little.
 */
public final class Comparison {

  private static final String USAGE =
      """
      Comparison [--quick] CLAIM
        plans               milliseconds of the strategies for 10,000 to 1,000,000 records
        allocators          nanoseconds of a free and an allocation, with other allocators
        pools               nanoseconds of an allocation and its end, with arenas, Netty and Arrow
        minimalloc FILE...  seconds of MiniMalloc and of the exact search, as whole commands
      """;

  /** The bytes that plans of MiniMalloc's own problems must fit into. */
  private static final String MINIMALLOC_CAPACITY = "1048576";

  /** The blocks that a confined arena each would fill with too many zeros. */
  private static final int MANY_BLOCKS = 100_000;

  /** A row of a table: a program or a way to use it, as parameters of a benchmark. */
  record Row(String title, Class<?> benchmark, String method, Map<String, String> parameters) {}

  /** A column of a table: a workload, as parameters of a benchmark. */
  record Column(String title, Map<String, String> parameters, int threads) {}

  private final PrintStream progress;
  private final Options options;
  private final List<String> notes = new ArrayList<>();

  /**
   * Creates a comparison.
   *
   * @param progress receives the name of each measurement
   * @param options the common options of all benchmarks
   */
  Comparison(PrintStream progress, Options options) {
    this.progress = progress;
    this.options = options;
  }

  /**
   * Measures a claim and prints its table.
   *
   * @param arguments the arguments that the usage describes
   */
  public static void main(String... arguments) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(arguments));
    boolean isQuick = words.remove("--quick");
    Comparison comparison = new Comparison(System.err, new OptionsBuilder().build());
    String table =
        switch (words.isEmpty() ? "" : words.getFirst()) {
          case "plans" -> comparison.table(strategies(), sources(isQuick));
          case "allocators" -> comparison.table(comparison.allocators(), pairs(isQuick));
          case "pools" -> comparison.table(pools(), sizes(isQuick));
          case "minimalloc" ->
              MiniMalloc.table(MINIMALLOC_CAPACITY, words.subList(1, words.size()));
          default -> {
            System.err.print(USAGE);
            System.exit(words.contains("--help") ? 0 : 2);
            yield "";
          }
        };
    System.out.print(table);
  }

  private static List<Row> strategies() {
    return Stream.of(
            "greedyBySizeOffsets",
            "tflmGreedyOffsets",
            "equalityObjects",
            "greedyInOrderObjects",
            "greedyByBreadthObjects")
        .map(method -> new Row(method, StrategyBenchmark.class, method, Map.of()))
        .toList();
  }

  private static List<Column> sources(boolean isQuick) {
    return Stream.of("network-10000", "network-100000", "network-1000000")
        .limit(isQuick ? 1 : 3)
        .map(source -> new Column(source, Map.of("source", source), 1))
        .toList();
  }

  /** {@return the allocators that this machine has; the others are notes} */
  List<Row> allocators() {
    List<Row> rows = new ArrayList<>();
    for (Peer peer : Peer.values()) {
      Optional<String> remedy = peer.absence();
      if (remedy.isPresent()) {
        notes.add(peer.title() + " is missing: " + remedy.get() + ".");
      } else {
        rows.add(
            new Row(
                peer.title(), AllocatorPairsBenchmark.class, "pair", Map.of("peer", peer.name())));
      }
    }
    return rows;
  }

  private static List<Column> pairs(boolean isQuick) {
    return Stream.of(
            pairs("1,000 blocks", 1_000, SizeDistribution.LOG_UNIFORM, 1),
            pairs("100,000 blocks", MANY_BLOCKS, SizeDistribution.LOG_UNIFORM, 1),
            pairs("64 sizes", 1_000, SizeDistribution.LOG_UNIFORM_OF_64, 1),
            pairs("64 sizes, 8 threads", 1_000, SizeDistribution.LOG_UNIFORM_OF_64, 8))
        .limit(isQuick ? 2 : 4)
        .toList();
  }

  static Column pairs(String title, int live, SizeDistribution sizes, int threads) {
    return new Column(
        title, Map.of("live", Integer.toString(live), "sizes", sizes.name()), threads);
  }

  private static List<Row> pools() {
    return Arrays.stream(PoolUse.values())
        .map(use -> new Row(use.title(), PoolBenchmark.class, "use", Map.of("use", use.name())))
        .toList();
  }

  private static List<Column> sizes(boolean isQuick) {
    return Stream.of("64", "4096", "65536", "1048576")
        .limit(isQuick ? 2 : 4)
        .map(bytes -> new Column(bytes + " B", Map.of("bytes", bytes), 1))
        .toList();
  }

  /** Runs all rows of each column and {@return the table, with the notes below} */
  String table(List<Row> rows, List<Column> columns) {
    String[][] cells = new String[rows.size()][columns.size()];
    for (int c = 0; c < columns.size(); c++) {
      for (int r = 0; r < rows.size(); r++) {
        cells[r][c] = cell(rows.get(r), columns.get(c));
      }
    }
    StringBuilder text = new StringBuilder("| fastest (median) |");
    columns.forEach(column -> text.append(' ').append(column.title()).append(" |"));
    text.append("\n|---|").append("---|".repeat(columns.size())).append('\n');
    for (int r = 0; r < cells.length; r++) {
      text.append("| ").append(rows.get(r).title()).append(" | ");
      text.append(String.join(" | ", cells[r])).append(" |\n");
    }
    notes.forEach(note -> text.append("\n- ").append(note));
    return text.append(notes.isEmpty() ? "" : "\n").toString();
  }

  private String cell(Row row, Column column) {
    if (row.parameters().containsValue(Peer.CONFINED_ARENA.name())
        && column.parameters().containsValue(Integer.toString(MANY_BLOCKS))) {
      return "–"; // it would fill 12 GiB with zeros
    }
    progress.printf("%s: %s%n", column.title(), row.title());
    ChainedOptionsBuilder builder =
        new OptionsBuilder()
            .parent(options)
            .include("\\b" + row.benchmark().getSimpleName() + "\\." + row.method() + "$")
            .threads(column.threads())
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
    row.parameters().forEach(builder::param);
    column.parameters().forEach(builder::param);
    if (column.threads() > 1) {
      // Long enough to schedule all threads on few cores.
      builder.measurementIterations(10).measurementTime(TimeValue.milliseconds(100));
    }
    try {
      double[] times = times(new Runner(builder.build()).runSingle());
      return digits(times[0]) + " (" + digits(times[times.length / 2]) + ")";
    } catch (RunnerException e) {
      notes.add(row.title() + " failed in " + column.title() + ": " + e.getMessage());
      return "–";
    }
  }

  /** {@return the times of an operation in ascending order: nanoseconds of a throughput} */
  private static double[] times(RunResult result) {
    boolean isThroughput = result.getParams().getMode() == Mode.Throughput;
    return result.getAggregatedResult().getIterationResults().stream()
        .mapToDouble(each -> each.getPrimaryResult().getScore())
        .map(score -> isThroughput ? 1000 / score : score)
        .sorted()
        .toArray();
  }

  /** {@return a number with three digits, or without a fraction if it has more} */
  static String digits(double value) {
    String format = value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%,.0f";
    return String.format(Locale.ROOT, format, value);
  }
}
