package dev.stowage.litert;

import dev.stowage.litert.engine.EngineLine;
import dev.stowage.litert.engine.EngineMain;
import dev.stowage.litert.engine.EngineOutput;
import dev.stowage.litert.engine.PlacedTensor;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/** A process that runs a model in TensorFlow Lite, and the lines that it prints. */
final class LiteProcess {

  private static final long POLL_MILLIS = 5;

  /** The time in which the system ends a process; it is longer only after failures of hardware. */
  private static final long END_SECONDS = 10;

  /** The starts of lines on the standard error that are not the reason for a failure. */
  private static final List<String> NO_ERRORS = List.of("INFO: ", "WARNING: ", "Picked up ");

  // The exit codes of signals; Java ends with SIGABRT after a bad access.
  private static final int INTERRUPTED = 130;
  private static final int ABORTED = 134;
  private static final int BAD_ADDRESS = 135;
  private static final int KILLED = 137;
  private static final int BAD_ACCESS = 139;
  private static final int TERMINATED = 143;

  private final String source;
  private final BooleanSupplier stop;
  private final IntConsumer operatorsDone;
  private final List<EngineOutput> outputs = new ArrayList<>();
  private final List<String> constantOutputs = new ArrayList<>();
  private final Map<Integer, Long> largerBytes = new TreeMap<>();
  private final List<Integer> unplaced = new ArrayList<>();
  private OptionalLong arenaBytes = OptionalLong.empty();
  private OptionalLong reorderedArenaBytes = OptionalLong.empty();
  private int ranCount;
  private String phase = "start";
  private String error = "";
  private boolean isComplete;

  /**
   * Creates a process that is not started yet.
   *
   * @param source the name of the model in messages
   * @param stop returns true to end the process
   * @param operatorsDone receives the number of operators that have run in planned memory
   */
  LiteProcess(String source, BooleanSupplier stop, IntConsumer operatorsDone) {
    this.source = source;
    this.stop = stop;
    this.operatorsDone = operatorsDone;
  }

  /**
   * Runs the process to its end.
   *
   * @param arguments those of {@link EngineMain}
   * @param tensors the tensors in planned memory
   * @throws MalformedFileException if TensorFlow Lite rejects the model or crashes
   * @throws MissingLibraryException if the library cannot be loaded
   * @throws CancellationException if {@code stop} or a signal ends the process
   * @throws IOException if the process cannot be started
   */
  void run(List<String> arguments, List<PlacedTensor> tensors) throws IOException {
    List<String> command = command();
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).start();
    try {
      send(tensors, process.getOutputStream());
      read(process);
      if (!isComplete) {
        throw failed(process.exitValue());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted in TensorFlow Lite's " + phase);
    } finally {
      process.destroyForcibly(); // also closes its streams
      // The caller then deletes the files of the process. An interrupt does not end this wait.
      process.onExit().completeOnTimeout(process, END_SECONDS, TimeUnit.SECONDS).join();
    }
  }

  private static void send(List<PlacedTensor> tensors, OutputStream in) {
    StringBuilder text = new StringBuilder();
    for (PlacedTensor tensor : tensors) {
      text.append(tensor.toLine()).append('\n');
    }
    try {
      in.write(text.append('\n').toString().getBytes(StandardCharsets.US_ASCII));
      in.flush();
    } catch (IOException e) {
      // The process has ended. Its error message and its exit code have the reason.
    }
  }

  private static List<String> command() {
    String modulePath = System.getProperty("jdk.module.path", "");
    boolean isModule = LiteProcess.class.getModule().isNamed();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:+SuppressFatalErrorMessage"); // this class reports a crash
    command.add(
        "--enable-native-access="
            + (isModule ? LiteProcess.class.getModule().getName() : "ALL-UNNAMED"));
    if (isModule) {
      command.add("--module-path");
      command.add(modulePath);
      command.add("-m");
      command.add(LiteProcess.class.getModule().getName() + "/" + EngineMain.class.getName());
    } else {
      command.add("-cp");
      command.add(System.getProperty("java.class.path"));
      command.add(EngineMain.class.getName());
    }
    return command;
  }

  private void read(Process process) throws IOException, InterruptedException {
    ArrivedLines out = new ArrivedLines(process.getInputStream());
    ArrivedLines err = new ArrivedLines(process.getErrorStream());
    boolean isAlive = true;
    while (isAlive) {
      if (stop.getAsBoolean()) {
        throw stopped();
      }
      receive(out.next(), err.next());
      isAlive = !process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
    }
    receive(out.rest(), err.rest());
  }

  /** {@return true if a line on the standard error may be the reason for a failure} */
  static boolean isReason(String line) {
    return !line.isBlank() && NO_ERRORS.stream().noneMatch(line::startsWith);
  }

  private void receive(List<String> output, List<String> errors) throws IOException {
    for (String line : errors) {
      if (error.isEmpty() && isReason(line)) {
        error = line;
      }
    }
    for (String line : output) {
      receive(line);
    }
  }

  private void receive(String text) throws IOException {
    EngineLine line = EngineLine.parse(text).orElse(null);
    if (line == null) {
      return;
    }
    switch (line.kind()) {
      case PHASE -> phase = line.value();
      case OPERATORS -> {
        ranCount = Integer.parseInt(line.value());
        operatorsDone.accept(ranCount);
      }
      case ARENA -> arenaBytes = OptionalLong.of(Long.parseLong(line.value()));
      case REORDERED_ARENA -> reorderedArenaBytes = OptionalLong.of(Long.parseLong(line.value()));
      case LARGER -> {
        String[] numbers = line.value().split(" ", -1);
        largerBytes.put(Integer.parseInt(numbers[0]), Long.parseLong(numbers[1]));
      }
      case UNPLACED -> unplaced.add(Integer.parseInt(line.value()));
      case OUTPUT -> outputs.add(EngineOutput.parse(line.value()));
      case CONSTANT -> constantOutputs.add(line.text());
      case NOT_LOADED -> throw MissingLibraryException.unloadable(line.text());
      case REFUSED ->
          throw new MalformedFileException(
              source,
              String.format(
                  Locale.ROOT, "TensorFlow Lite rejects it in its %s: %s", phase, line.text()));
      case OUT_OF_MEMORY ->
          throw new MalformedFileException(
              source,
              String.format(
                  Locale.ROOT,
                  "cannot be verified: the memory of this machine is too small for TensorFlow Lite's %s: %s",
                  phase,
                  line.text()));
      case END -> end(Integer.parseInt(line.value()));
    }
  }

  private void end(int outputCount) throws MalformedFileException {
    if (outputs.size() != outputCount) {
      throw new MalformedFileException(
          source,
          String.format(
              Locale.ROOT,
              "cannot be verified: the process of TensorFlow Lite compared %d outputs, and %d of them arrived",
              outputCount,
              outputs.size()));
    }
    isComplete = true;
  }

  /** {@return the exception for a process that ended early} */
  private IOException failed(int exitCode) {
    // A terminal sends a signal to this process and to that one.
    if (stop.getAsBoolean() || exitCode == INTERRUPTED || exitCode == TERMINATED) {
      throw stopped();
    }
    return new MalformedFileException(source, failure(exitCode, error));
  }

  private CancellationException stopped() {
    return new CancellationException("stopped in TensorFlow Lite's " + phase);
  }

  /**
   * {@return the sentence for a process that ended early}
   *
   * @param error its first error message; empty if there is none
   */
  String failure(int exitCode, String error) {
    String cause =
        switch (exitCode) {
          case KILLED -> "was ended by the system in its %s, as for lack of memory%s";
          case ABORTED, BAD_ACCESS, BAD_ADDRESS ->
              "crashed in its %s, as kernels do that write outside of their tensors%s";
          default -> "ended in its %s with exit code " + exitCode + "%s";
        };
    return "cannot be verified: TensorFlow Lite "
        + String.format(
            Locale.ROOT,
            cause,
            phase,
            error.isEmpty() ? "" : ": " + MalformedFileException.excerpt(error));
  }

  List<EngineOutput> outputs() {
    return outputs;
  }

  /** {@return the names of the outputs that have the same value everywhere} */
  List<String> constantOutputs() {
    return constantOutputs;
  }

  /** {@return the number of operators that ran between planned tensors} */
  int ranCount() {
    return ranCount;
  }

  /** {@return the bytes of tensors that are larger in TensorFlow Lite than planned, by index} */
  Map<Integer, Long> largerBytes() {
    return largerBytes;
  }

  /** {@return further tensors that are not in planned memory, by index} */
  List<Integer> unplaced() {
    return unplaced;
  }

  OptionalLong arenaBytes() {
    return arenaBytes;
  }

  OptionalLong reorderedArenaBytes() {
    return reorderedArenaBytes;
  }
}
