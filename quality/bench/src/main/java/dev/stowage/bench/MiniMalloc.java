package dev.stowage.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The seconds of whole commands of MiniMalloc and Stowage, in turn. */
final class MiniMalloc {

  /** The number of runs of each command; the table has the medians. */
  private static final int RUNS = 5;

  private MiniMalloc() {}

  /**
   * {@return the table}
   *
   * @param capacity the bytes that each plan must fit into
   * @param files problems with the columns id, lower, upper and size
   */
  static String table(String capacity, List<String> files)
      throws IOException, InterruptedException {
    if (files.isEmpty()) {
      return "- MiniMalloc's problems are missing: name the files of its folder benchmarks/challenging, such as A.1048576.csv.\n";
    }
    if (!isInstalled()) {
      return "- MiniMalloc is missing: build https://github.com/google/minimalloc, and put its program minimalloc on the PATH.\n";
    }
    StringBuilder text =
        new StringBuilder("| problem | MiniMalloc, s | Stowage, s | ratio |\n|---|---|---|---|\n");
    for (String file : files) {
      text.append(row(capacity, file));
    }
    return text.toString();
  }

  private static boolean isInstalled() {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "minimalloc")));
  }

  private static String row(String capacity, String file) throws IOException, InterruptedException {
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
    return String.format(
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
