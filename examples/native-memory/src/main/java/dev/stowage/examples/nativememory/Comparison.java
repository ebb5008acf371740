package dev.stowage.examples.nativememory;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A service in several ways, each in a process of its own. */
final class Comparison {

  /** A service that serves requests in one way. */
  @FunctionalInterface
  interface Service {

    Figures serve(String way, int requests) throws Exception;
  }

  private Comparison() {}

  /**
   * Prints the figures of all ways; in a process of one way, only its own figures.
   *
   * @param args nothing or the number of requests; in a process of a way also the way
   * @param program the class with the {@code main} that calls this method
   */
  static void main(
      String[] args, Class<?> program, int requests, List<String> ways, Service service)
      throws Exception {
    if (args.length == 2) {
      System.out.println(service.serve(args[1], Integer.parseInt(args[0])).toLine());
      return;
    }
    int asked = args.length == 0 ? requests : Integer.parseInt(args[0]);
    List<Figures> all = new ArrayList<>();
    for (String way : ways) {
      all.add(run(program, asked, way));
    }
    System.out.println(table(ways, all));
  }

  /** {@return the figures of a process that serves in one way} */
  static Figures run(Class<?> program, int requests, String way) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xms128m",
            "-Xmx128m",
            "-XX:+AlwaysPreTouch",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            program.getName(),
            Integer.toString(requests),
            way);
    builder.directory(new File(System.getProperty("stowage.root", ".")));
    builder.environment().put("ORT_DISABLE_TELEMETRY", "1");
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    Process process = builder.start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException(program.getName() + " failed: " + String.join(" ", builder.command()));
    }
    return Figures.ofLine(printed.strip());
  }

  static String table(List<String> ways, List<Figures> all) {
    StringBuilder table =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%-12s %9s %9s %9s %8s %8s",
                "MiB",
                "loaded",
                "highest",
                "kept",
                "served",
                "cpu s"));
    for (int way = 0; way < ways.size(); way++) {
      Figures figures = all.get(way);
      table.append(
          String.format(
              Locale.ROOT,
              "%n%-12s %,9d %,9d %,9d %,8d %,8d",
              ways.get(way),
              figures.loadedBytes() >> 20,
              figures.highestBytes() >> 20,
              figures.keptBytes() >> 20,
              figures.served(),
              figures.seconds()));
    }
    return table.toString();
  }
}
