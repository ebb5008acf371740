package dev.stowage.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The seconds of whole commands of MiniMalloc and Stowage, as a table in Markdown. */
public final class MiniMallocComparison {

  private static final String USAGE =
      """
      MiniMallocComparison CAPACITY FILE.csv...
        CAPACITY  the bytes that each plan must fit into, 1048576 for MiniMalloc's own problems
        FILE.csv  a problem with the columns id, lower, upper and size
      The program minimalloc must be on the PATH. It runs in the root of a checkout.
      """;

  /** The number of runs of each command, in turn; the table has the medians. */
  private static final int RUNS = 5;

  private final String capacity;

  private MiniMallocComparison(String capacity) {
    this.capacity = capacity;
  }

  /**
   * Prints the table.
   *
   * @param arguments the arguments that the usage describes
   */
  public static void main(String... arguments) throws IOException, InterruptedException {
    if (arguments.length < 2 || !arguments[0].matches("[0-9]+")) {
      System.err.print(USAGE);
      System.exit(2);
    }
    if (!isInstalled()) {
      System.out.println(
          "- MiniMalloc is missing: build https://github.com/google/minimalloc, and put its program"
              + " minimalloc on the PATH.");
      return;
    }
    System.out.printf("| problem | MiniMalloc, s | Stowage, s | ratio |%n|---|---|---|---|%n");
    MiniMallocComparison comparison = new MiniMallocComparison(arguments[0]);
    for (String file : List.of(arguments).subList(1, arguments.length)) {
      comparison.print(file);
    }
  }

  private static boolean isInstalled() {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "minimalloc")));
  }

  private void print(String file) throws IOException, InterruptedException {
    double[] theirs = new double[RUNS];
    double[] ours = new double[RUNS];
    Path plan = Files.createTempFile("minimalloc", ".csv");
    try {
      for (int run = 0; run < RUNS; run++) {
        theirs[run] =
            seconds("minimalloc", "--capacity=" + capacity, "--input=" + file, "--output=" + plan);
        ours[run] =
            seconds(
                "./stowage",
                "plan",
                file,
                "--kind=offsets",
                "--strategy=OPTIMAL",
                "--capacity=" + capacity,
                "--format=json");
      }
    } finally {
      Files.delete(plan);
    }
    System.out.printf(
        Locale.ROOT,
        "| %s | %.2f | %.2f | %.1f |%n",
        Path.of(file).getFileName(),
        median(theirs),
        median(ours),
        median(theirs) / median(ours));
  }

  private static double seconds(String... command) throws IOException, InterruptedException {
    long start = System.nanoTime();
    int exitCode =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start()
            .waitFor();
    if (exitCode != 0) {
      throw new IOException(String.join(" ", command) + " ended with " + exitCode);
    }
    return (System.nanoTime() - start) / 1e9;
  }

  private static double median(double[] values) {
    return Arrays.stream(values).sorted().skip(values.length / 2).findFirst().orElseThrow();
  }
}
