package dev.stowage.cli.netty;

import dev.stowage.pages.text.Text;
import dev.stowage.trace.format.NettyScript;
import dev.stowage.trace.format.RecordedProgram;
import dev.stowage.trace.netty.NettyEngine;
import dev.stowage.trace.netty.NettyRun;
import dev.stowage.trace.netty.NettyRunException;
import dev.stowage.trace.netty.NettySettings;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Runs Netty in child processes, which have its jars on their class path. */
public final class ChildNetty implements NettyEngine {

  /*
   * Memory of the child stays untouched: Netty gets it from malloc by Unsafe, or, where it uses no
   * Unsafe, by the linker of the JDK. Both count it against the limit of direct memory.
   */

  private static final List<String> OPTIONS =
      List.of(
          "-Xlog:disable",
          "-Xms16m",
          "-XX:+UseG1GC",
          "-XX:TieredStopAtLevel=1",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "--add-opens=java.base/java.nio=ALL-UNNAMED");

  /** Properties that replace recorded ones. */
  private static final List<String> PROPERTIES =
      List.of(
          "-Dio.netty.noUnsafe=false",
          "-Dio.netty.tryReflectionSetAccessible=true",
          "-Dio.netty.jfr.enabled=true",
          "-Dio.netty.leakDetection.level=disabled");

  private final Optional<String> choice;

  /** The last run with recorded settings, which each replay of the recording needs. */
  private Optional<NettyRun> recordedRun = Optional.empty();

  /**
   * Creates an engine.
   *
   * @param choice a version or the paths of jars; empty for the version of each recording
   */
  public ChildNetty(Optional<String> choice) {
    this.choice = choice;
  }

  @Override
  public NettyRun run(RecordedProgram program, NettySettings settings) {
    return settings.equals(NettySettings.recorded(program))
        ? recorded(program, settings)
        : started(program, settings);
  }

  private synchronized NettyRun recorded(RecordedProgram program, NettySettings settings) {
    NettyRun run =
        recordedRun
            .filter(known -> known.script() == program.script())
            .orElseGet(() -> started(program, settings));
    recordedRun = Optional.of(run);
    return run;
  }

  private NettyRun started(RecordedProgram program, NettySettings settings) {
    try {
      NettyJars jars = NettyJars.of(choice, program.version());
      Path folder = Files.createTempDirectory("stowage-netty");
      try {
        return run(jars, program.script(), settings, folder);
      } finally {
        delete(folder);
      }
    } catch (IOException e) {
      throw new NettyRunException(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public boolean knows(RecordedProgram program, String property) {
    try {
      return NettyJars.of(choice, program.version()).knows(property);
    } catch (IOException e) {
      throw new NettyRunException(String.valueOf(e.getMessage()));
    }
  }

  private static NettyRun run(
      NettyJars jars, NettyScript script, NettySettings settings, Path folder) throws IOException {
    Path operations = folder.resolve("operations");
    Path results = Files.createFile(folder.resolve("results"));
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(operations)))) {
      script.writeTo(out);
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(OPTIONS);
    command.add("-Djava.io.tmpdir=" + folder);
    command.addAll(settings.arguments());
    command.addAll(PROPERTIES);
    command.add("-cp");
    command.add(
        NettyJars.own()
            + File.pathSeparator
            + jars.files().stream()
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator)));
    command.add("dev.stowage.cli.netty.NettyProcess");
    command.addAll(
        List.of(operations.toString(), results.toString(), folder.resolve("netty.jfr").toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(folder.resolve("errors").toFile());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.start();
    List<NettyRun.Change> changes = new ArrayList<>();
    long usedBytes = -1;
    String other = "";
    try (BufferedReader out = process.inputReader()) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
          case "chunk", "gone" -> changes.add(change(words));
          case "used" -> usedBytes = Long.parseLong(words[1]);
          default -> other = other.isEmpty() ? line : other;
        }
      }
    } finally {
      process.destroyForcibly();
    }
    if (usedBytes < 0) {
      throw new IOException(
          Text.of(
              "the process that runs %s ended early: %s",
              jars.title(),
              other.isEmpty() ? Files.readString(folder.resolve("errors")).strip() : other));
    }
    return read(jars, script, results, changes);
  }

  private static NettyRun.Change change(String[] words) {
    return new NettyRun.Change(
        Integer.parseInt(words[1]),
        words[0].equals("chunk"),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]));
  }

  private static NettyRun read(
      NettyJars jars, NettyScript script, Path results, List<NettyRun.Change> changes)
      throws IOException {
    long[] numbers = new long[script.count() * NettyRun.NUMBERS];
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(results)))) {
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = in.readLong();
      }
    }
    return new NettyRun(jars.title(), script, numbers, changes);
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
