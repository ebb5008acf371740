package dev.stowage.cli.netty;

import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.WorkInterruptedException;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.format.NettyScript;
import dev.stowage.trace.format.RecordedProgram;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordedEvent;

/** Runs Netty in child processes. They have its jars on their class path. */
public final class ChildNetty {

  /*
   * The child does not touch the memory of its buffers. Netty gets this memory from malloc: by
   * Unsafe, or by the linker of the JDK. Both ways count it against the limit of direct memory.
   */

  private static final List<String> OPTIONS =
      List.of(
          "-Xlog:disable",
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

  /** The exit codes after SIGINT and SIGTERM; a terminal sends its signals to all processes. */
  private static final Set<Integer> INTERRUPTED = Set.of(128 + 2, 128 + 15);

  private final Optional<String> choice;

  /** The last run with recorded settings. Each replay of the recording needs it. */
  private Optional<NettyAgreement> last = Optional.empty();

  /**
   * Creates an engine.
   *
   * @param choice a version or the paths of jars; empty for the version of each recording
   */
  public ChildNetty(Optional<String> choice) {
    this.choice = choice;
  }

  /**
   * {@return the agreement of a run with the recorded settings and the recording}
   *
   * @param program the recorded program
   * @throws InputRefusedException if there is no such version, or if the process ends early
   */
  public synchronized NettyAgreement agreement(RecordedProgram program) {
    if (last.filter(known -> known.program().equals(program)).isEmpty()) {
      last =
          Optional.of(
              new NettyAgreement(program, started(program, NettySettings.recorded(program))));
    }
    return last.get();
  }

  /** {@return the result of a run in a process of its own, with all arguments of the settings} */
  NettyRun run(RecordedProgram program, NettySettings settings) {
    return settings.equals(NettySettings.recorded(program))
        ? agreement(program).run()
        : started(program, settings);
  }

  /** {@return the properties in settings that the version of Netty does not read} */
  List<String> unknown(RecordedProgram program, NettySettings settings) {
    NettyJars jars = NettyJars.of(choice, program.version());
    return settings.properties().stream().filter(property -> !jars.contain(property)).toList();
  }

  private NettyRun started(RecordedProgram program, NettySettings settings) {
    NettyJars jars = NettyJars.of(choice, program.version());
    try {
      Path folder = Files.createTempDirectory("stowage-netty");
      try {
        return new NettyRun(jars.title(), run(jars, program.script(), settings, folder));
      } finally {
        try (Stream<Path> files = Files.walk(folder)) {
          files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
      }
    } catch (IOException e) {
      throw new InputRefusedException(String.valueOf(e.getMessage()));
    }
  }

  private static List<NettyRun.Call> run(
      NettyJars jars, NettyScript script, NettySettings settings, Path folder) throws IOException {
    Path operations = folder.resolve("operations");
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(operations)))) {
      script.writeTo(out);
    }
    Path recording = folder.resolve("netty.jfr");
    Path errors = folder.resolve("errors");
    String jarPaths =
        Stream.concat(Stream.of(NettyJars.own()), jars.files().stream())
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(OPTIONS);
    command.add("-Djava.io.tmpdir=" + folder);
    command.addAll(settings.arguments());
    command.addAll(PROPERTIES);
    command.addAll(List.of("-cp", jarPaths, "dev.stowage.cli.netty.BufferReplay"));
    command.addAll(List.of(operations.toString(), recording.toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(errors.toFile());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    int exitCode = builder.start().onExit().join().exitValue();
    if (exitCode != 0) {
      throw failure(exitCode, jars.title(), Files.readAllLines(errors));
    }
    return calls(recording);
  }

  /** {@return the exception for a process that ended early} */
  static RuntimeException failure(int exitCode, String title, List<String> errors) {
    return INTERRUPTED.contains(exitCode)
        ? new WorkInterruptedException()
        : new InputRefusedException(
            Text.of("the process that runs %s ended early: %s", title, String.join(": ", errors)));
  }

  private static List<NettyRun.Call> calls(Path recording) throws IOException {
    List<NettyRun.Call> calls = new ArrayList<>();
    List<NettyRun.Change> changes = new ArrayList<>();
    try (EventStream events = EventStream.openFile(recording)) {
      events.onEvent("io.netty.AllocateChunk", event -> addChange(event, 1, changes));
      events.onEvent("io.netty.FreeChunk", event -> addChange(event, -1, changes));
      events.onEvent(
          BufferReplay.Call.NAME,
          event -> {
            calls.add(
                new NettyRun.Call(
                    List.copyOf(changes),
                    event.getLong("address"),
                    event.getLong("chunk"),
                    event.getLong("bytes")));
            changes.clear();
          });
      events.start();
    }
    return calls;
  }

  private static void addChange(RecordedEvent event, long sign, List<NettyRun.Change> changes) {
    if (event.getBoolean("direct")) {
      changes.add(new NettyRun.Change(event.getLong("address"), sign * event.getInt("capacity")));
    }
  }

  /** {@return the smallest limit of a program that was found, with some settings of allocators} */
  public Optional<NettyLimit> smallestLimit(RecordedProgram program, String settings) {
    NettySettings all = NettySettings.parse(settings).onMachineOf(program);
    boolean isRecorded = all.equals(NettySettings.recorded(program));
    return NettyLimit.search(
            run(program, all).peak(), bytes -> !run(program, all.withLimit(bytes)).hasRefusals())
        .map(limit -> limit.forProgram(agreement(program), isRecorded));
  }
}
