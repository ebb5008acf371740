package dev.stowage.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/** Searches for the smallest arenas, which prints a table in Markdown and draws a picture. */
public final class SearchComparison {

  private static final String USAGE =
      """
      SearchComparison [--seconds N] [--threads N] [--picture FILE.svg] [SOURCE...]
        SOURCE    network-N or short-lived-N for N generated records, or a CSV file with id, lower,
                  upper and size (both of 100 to 1,000,000 records)
      """;

  private SearchComparison() {}

  /**
   * Runs the searches.
   *
   * @param arguments the arguments that the usage describes
   */
  public static void main(String... arguments) throws IOException {
    Duration limit = Duration.ofSeconds(10);
    int threads = Runtime.getRuntime().availableProcessors();
    List<Path> pictures = new ArrayList<>();
    List<String> sources = new ArrayList<>();
    Iterator<String> words = List.of(arguments).iterator();
    while (words.hasNext()) {
      String word = words.next();
      if (word.equals("--seconds") && words.hasNext()) {
        limit = Duration.ofSeconds(Long.parseLong(words.next()));
      } else if (word.equals("--threads") && words.hasNext()) {
        threads = Integer.parseInt(words.next());
      } else if (word.equals("--picture") && words.hasNext()) {
        pictures.add(Path.of(words.next()));
      } else if (!word.startsWith("-")) {
        sources.add(word);
      } else {
        System.err.print(USAGE);
        System.exit(word.equals("--help") ? 0 : 2);
      }
    }
    if (sources.isEmpty()) {
      for (int count = 100; count <= 1_000_000; count *= 10) {
        sources.add("network-" + count);
        sources.add("short-lived-" + count);
      }
    }
    SearchRun.of("network-1000", Duration.ofSeconds(2), threads); // warms the JVM up
    List<SearchRun> runs = new ArrayList<>();
    System.out.println(
        "| records | greedy | after 1 s | at the end | proved | seconds | within 1/1000 after |");
    System.out.println("|---|---|---|---|---|---|---|");
    for (String source : sources) {
      SearchRun run = SearchRun.of(source, limit, threads);
      runs.add(run);
      System.out.println(row(run));
    }
    for (Path picture : pictures) {
      Files.writeString(picture, new SearchPicture(runs, limit).svg());
    }
  }

  private static String row(SearchRun run) {
    return String.format(
        Locale.ROOT,
        "| %s, %,d | +%.3f %% | +%.3f %% | +%.3f %% | %s | %.2f | %s |",
        run.name(),
        run.records(),
        run.percentAbove(run.greedyBytes()),
        run.percentAfter(1),
        run.percentAbove(run.result().assignment().totalBytes()),
        run.result().isOptimal() ? "yes" : "no",
        run.seconds(),
        run.secondsToOneThousandth().isPresent()
            ? String.format(Locale.ROOT, "%.2f s", run.secondsToOneThousandth().getAsDouble())
            : "–");
  }
}
