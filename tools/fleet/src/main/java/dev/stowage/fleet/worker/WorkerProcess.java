package dev.stowage.fleet.worker;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A process that runs commands of Stowage, one after the other. One thread at a time calls it. */
final class WorkerProcess implements AutoCloseable {

  /*
   * The protocol is that of dev.stowage.cli.Worker. The shell makes the standard output of the
   * process its file 3, for answers, and prints all other output to the standard error, so that a
   * native library cannot change an answer.
   *
   * Two threads read: one the answers, one the standard error. They end with the process.
   */

  /** The option of the script stowage, because an AOT cache is only for JVMs with the same one. */
  static final String NATIVE_ACCESS =
      "--enable-native-access=org.jline.nativ,dev.stowage.memory,dev.stowage.opencl,"
          + "dev.stowage.cuda,dev.stowage.onnxruntime,com.microsoft.onnxruntime";

  private static final int MAGIC = 0x53545731;
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration END_LIMIT = Duration.ofSeconds(10);
  private static final int KEPT_LINES = 60;

  private final Process process;
  private final ScratchFolder folder;
  private final DataOutputStream requests;
  private final BlockingQueue<Optional<Message>> received = new LinkedBlockingQueue<>();
  private final Deque<String> lastLines = new ArrayDeque<>();
  private final Thread errorReader;
  private String version = "";

  /** A greeting, whose exit code is 0 and whose output is the version, or an answer. */
  private record Message(int exitCode, String out, String err) {}

  private WorkerProcess(Process process, ScratchFolder folder) {
    this.process = process;
    this.folder = folder;
    requests = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
    errorReader = new Thread(this::readLines, "stowage-worker-errors");
    errorReader.setDaemon(true);
    errorReader.start();
    Thread answerReader = new Thread(this::readMessages, "stowage-worker-answers");
    answerReader.setDaemon(true);
    answerReader.start();
  }

  /**
   * {@return a process that waits for commands}
   *
   * @param java the program {@code java}
   * @param settings the settings
   * @param memoryPercent the largest heap as a part of the memory, if the settings have none
   * @throws WorkerStartException if the process does not start
   * @throws InterruptedException if the thread is interrupted, and the process has ended
   */
  static WorkerProcess start(Path java, WorkerSettings settings, double memoryPercent)
      throws WorkerStartException, InterruptedException {
    WorkerProcess worker;
    try {
      worker = launch(java, settings, memoryPercent);
    } catch (WorkerStartException e) {
      throw e;
    } catch (IOException e) {
      throw new WorkerStartException("a worker cannot be started: " + e.getMessage());
    }
    try {
      Message greeting = worker.await(START_LIMIT);
      worker.version = greeting.out;
      return worker;
    } catch (WorkerEndedException e) {
      worker.close();
      throw new WorkerStartException(
          String.format(
              Locale.ROOT,
              "a worker does not start with %s: %s%s",
              java,
              e.getMessage(),
              e.lines().isEmpty() ? "" : ": " + String.join("; ", e.lines())));
    } catch (InterruptedException e) {
      worker.close();
      throw e;
    }
  }

  private static WorkerProcess launch(Path java, WorkerSettings settings, double memoryPercent)
      throws IOException {
    ScratchFolder folder = ScratchFolder.create("stowage-worker-");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command(java, settings, memoryPercent, folder.path()));
      settings
          .folder()
          .map(Path::of)
          .filter(Files::isDirectory)
          .ifPresent(path -> builder.directory(path.toFile()));
      WorkerEnvironment.set(builder.environment());
      return new WorkerProcess(builder.start(), folder);
    } catch (IOException e) {
      folder.close();
      throw e;
    }
  }

  private static List<String> command(
      Path java, WorkerSettings settings, double memoryPercent, Path folder)
      throws WorkerStartException {
    String modules =
        settings
            .modules()
            .orElseThrow(() -> new WorkerStartException("the modules of Stowage are not known"));
    if (!Files.isDirectory(Path.of(modules))) {
      throw new WorkerStartException(
          "the modules of Stowage are not in the folder " + modules + " of this machine");
    }
    List<String> command = new ArrayList<>();
    command.addAll(List.of("/bin/sh", "-c", "exec \"$@\" 3>&1 1>&2", "stowage-worker"));
    command.add(java.toString());
    command.add(
        settings.heapBytes().isPresent()
            ? "-Xmx" + settings.heapBytes().getAsLong()
            : String.format(Locale.ROOT, "-XX:MaxRAMPercentage=%.3f", memoryPercent));
    command.add("-XX:ActiveProcessorCount=" + settings.threads());
    command.add("-Dstowage.processors=" + Runtime.getRuntime().availableProcessors());
    command.add("-XX:+UseSerialGC");
    command.add("-XX:-CreateCoredumpOnCrash");
    command.add("-XX:ErrorFile=" + folder.resolve("crash.log"));
    command.add("-XX:-UsePerfData");
    command.add("-Djava.io.tmpdir=" + folder);
    command.add("-Dstowage.terminal=false");
    // A JVM that cannot use the cache would log an error, and start without it.
    settings
        .loadedClasses()
        .ifPresent(
            file -> command.addAll(List.of("-Xlog:aot*=off,cds*=off", "-XX:AOTCache=" + file)));
    command.add(NATIVE_ACCESS);
    command.addAll(List.of("--module-path", modules));
    command.addAll(List.of("-m", "dev.stowage.cli/dev.stowage.cli.Worker", "/dev/fd/3"));
    return command;
  }

  /** {@return the version of Stowage that the process runs} */
  String version() {
    return version;
  }

  /**
   * {@return the answer to a command}
   *
   * @param arguments the command line
   * @param limit the time after which the process is ended
   * @throws WorkerEndedException if the process ended, or was ended because of the limit
   * @throws InterruptedException if the thread is interrupted; the process is ended
   */
  WorkerAnswer call(List<String> arguments, Duration limit)
      throws WorkerEndedException, InterruptedException {
    long start = System.nanoTime();
    try {
      requests.writeInt(arguments.size());
      for (String argument : arguments) {
        byte[] text = argument.getBytes(StandardCharsets.UTF_8);
        requests.writeInt(text.length);
        requests.write(text);
      }
      requests.flush();
    } catch (IOException e) {
      throw ended();
    }
    Message answer = await(limit);
    double seconds = (System.nanoTime() - start) / 1e9;
    return WorkerAnswer.of(answer.exitCode, answer.out, answer.err, seconds);
  }

  private Message await(Duration limit) throws WorkerEndedException, InterruptedException {
    Optional<Message> message;
    try {
      message = received.poll(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      kill();
      throw e;
    }
    if (message == null) {
      kill();
      throw new WorkerEndedException("the limit of time passed", List.of(), true);
    }
    if (message.isEmpty()) {
      throw ended();
    }
    return message.get();
  }

  /** {@return the end of the process, after it has ended} */
  private WorkerEndedException ended() throws InterruptedException {
    if (!process.waitFor(END_LIMIT.toNanos(), TimeUnit.NANOSECONDS)) {
      kill();
      process.waitFor();
    }
    errorReader.join(END_LIMIT.toMillis());
    List<String> lines;
    synchronized (lastLines) {
      lines = List.copyOf(lastLines);
    }
    ProcessEnd end = new ProcessEnd(process.exitValue(), lines);
    return new WorkerEndedException(end.reason(), end.details(), false);
  }

  private void readMessages() {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(process.getInputStream()))) {
      if (in.readInt() != MAGIC) {
        kill();
      }
      received.add(Optional.of(new Message(0, text(in), "")));
      while (true) {
        received.add(Optional.of(new Message(in.readInt(), text(in), text(in))));
      }
    } catch (IOException e) {
      // The process has ended, or is ended.
    } finally {
      received.add(Optional.empty());
    }
  }

  private static String text(DataInputStream in) throws IOException {
    byte[] text = new byte[in.readInt()];
    in.readFully(text);
    return new String(text, StandardCharsets.UTF_8);
  }

  private void readLines() {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        synchronized (lastLines) {
          if (lastLines.size() == KEPT_LINES) {
            lastLines.removeFirst();
          }
          lastLines.addLast(line);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      // The process has ended.
    }
  }

  /** Ends the process, and then those that it started: it must not go on after the end of one. */
  private void kill() {
    List<ProcessHandle> started = process.descendants().toList();
    process.destroyForcibly();
    started.forEach(ProcessHandle::destroyForcibly);
  }

  @Override
  public void close() {
    kill();
    try {
      // A process that still runs could write further files.
      process.waitFor(END_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    folder.close();
  }
}
