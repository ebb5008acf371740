package dev.stowage.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** The program {@code stowage} as a script that tests can harm, and problems for it. */
final class Program {

  private static final Path ROOT = Path.of(System.getProperty("stowage.root"));
  private static final String JAVA = System.getProperty("java.home") + "/bin/java";

  private Program() {}

  /**
   * Writes a script that starts the command from the modules of the build.
   *
   * @param beforehand lines of the script that run first
   */
  static Path write(Path folder, String beforehand) throws IOException {
    return script(
        folder,
        """
        #!/bin/sh
        %s
        exec "%s" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "@%s" --module-path "%s" -m dev.stowage.cli/dev.stowage.cli.Stowage "$@"
        """
            .formatted(
                beforehand,
                JAVA,
                ROOT.resolve("tools/cli/jvm.options"),
                ROOT.resolve("tools/cli/target/modules")));
  }

  /**
   * Writes a script that prints what the command would print, without a JVM: a line for each file,
   * and a message for each empty one.
   *
   * @param beforehand lines of the script that run first
   */
  static Path imitate(Path folder, String beforehand) throws IOException {
    return script(
        folder,
        """
        #!/bin/sh
        %s
        while [ "$1" != -- ]; do shift; done
        shift
        code=0
        for file in "$@"; do
          if [ -s "$file" ]; then
            echo "{\\"input\\":\\"$file\\",\\"bytes\\":1}"
          elif [ -n "$file" ]; then
            echo "stowage: $file: is empty" >&2
            code=3
          fi
        done
        exit $code
        """
            .formatted(beforehand));
  }

  private static Path script(Path folder, String text) throws IOException {
    Path script = Files.writeString(folder.resolve("stowage"), text);
    return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
  }

  /** {@return lines of a script that kill its process if a file is among its words} */
  static String killedBy(String name) {
    return "for word in \"$@\"; do case $word in *%s) kill -9 $$ ;; esac; done".formatted(name);
  }

  /** Writes random problems, {@code problem-000.csv} and so on, and {@return their paths} */
  static List<String> problems(Path folder, int count, long seed) throws IOException {
    Files.createDirectories(folder);
    SplittableRandom random = new SplittableRandom(seed);
    List<String> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int records = 4 + random.nextInt(20);
      StringBuilder csv = new StringBuilder("id,lower,upper,size\n");
      for (int j = 0; j < records; j++) {
        int lower = random.nextInt(records);
        csv.append(j).append(',').append(lower).append(',');
        csv.append(lower + 1 + random.nextInt(8)).append(',').append(1 + random.nextInt(1000));
        csv.append('\n');
      }
      Path file = folder.resolve(String.format(Locale.ROOT, "problem-%03d.csv", i));
      files.add(Files.writeString(file, csv).toString());
    }
    return files;
  }

  /** {@return the number of files of results that are complete} */
  static long finished(Path folder) throws IOException {
    if (Files.notExists(folder)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> !file.getFileName().toString().startsWith(".")).count();
    }
  }

  /** {@return the lines of all results, sorted, without the times} */
  static List<String> results(Path folder) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    return lines.stream()
        .map(line -> line.replaceAll("\"seconds\":[0-9.E-]+", "\"seconds\":0"))
        .sorted()
        .toList();
  }
}
