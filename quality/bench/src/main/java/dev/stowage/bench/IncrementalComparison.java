package dev.stowage.bench;

import dev.stowage.bench.IncrementalRun.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Changes of orders per second with incremental plans and with planning from scratch, as a table in
 * Markdown.
 */
public final class IncrementalComparison {

  private static final String USAGE =
      """
      IncrementalComparison [OPERATORS...]
        OPERATORS  the numbers of operators of the networks (100 300 1000 10000)
      """;

  private static final int ROUNDS = 5;
  private static final long ROUND_NANOS = 50_000_000;

  private IncrementalComparison() {}

  /**
   * Prints the table.
   *
   * @param arguments the arguments that the usage describes
   */
  public static void main(String... arguments) {
    List<Integer> counts = new ArrayList<>();
    for (String argument : arguments) {
      if (!argument.matches("[1-9][0-9]{1,6}")) {
        System.err.print(USAGE);
        System.exit(argument.equals("--help") ? 0 : 2);
      }
      counts.add(Integer.parseInt(argument));
    }
    if (counts.isEmpty()) {
      counts.addAll(List.of(100, 300, 1_000, 10_000));
    }
    System.out.println(
        "| network | moves by | from scratch | quadratic | load and plan | ratio | to quadratic |"
            + " taken back | load only |");
    System.out.println("|---|---|---|---|---|---|---|---|---|");
    for (int count : counts) {
      for (OperatorNetwork network : OperatorNetwork.values()) {
        for (int distance : new int[] {1, 8}) {
          IncrementalRun run = IncrementalRun.of(network, count, distance, ROUNDS, ROUND_NANOS);
          System.out.println(row(network, count, distance, run));
        }
      }
    }
  }

  static String row(OperatorNetwork network, int count, int distance, IncrementalRun run) {
    double[] ratios = run.ratios(Way.PLAN, Way.SCRATCH);
    return String.format(
        Locale.ROOT,
        "| %s, %,d | %s | %s | %s | %s | %,.0f (%,.0f–%,.0f) | %,.0f | %s | %s |",
        network,
        count,
        distance == 1 ? "1" : "1 to " + distance,
        rate(run, Way.SCRATCH),
        rate(run, Way.QUADRATIC),
        rate(run, Way.PLAN),
        IncrementalRun.median(ratios),
        ratios[0],
        ratios[ratios.length - 1],
        IncrementalRun.median(run.ratios(Way.PLAN, Way.QUADRATIC)),
        rate(run, Way.TRIAL),
        rate(run, Way.LOAD));
  }

  /** {@return changes per second, to three digits} */
  private static String rate(IncrementalRun run, Way way) {
    double rate = run.rate(way);
    double unit = Math.pow(10, Math.max(0, Math.floor(Math.log10(rate)) - 2));
    return String.format(Locale.ROOT, "%,.0f", Math.rint(rate / unit) * unit);
  }
}
