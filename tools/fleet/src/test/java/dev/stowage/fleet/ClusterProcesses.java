package dev.stowage.fleet;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A session cluster of Flink on the loopback interface: one process for the job manager and one for
 * each task manager, from the jars of {@code tools/fleet/target/lib}.
 *
 * <p>{@link #close} kills all processes; they also end with this JVM.
 */
final class ClusterProcesses implements AutoCloseable {

  /** A process that is started and not yet ready after this time is reported with its output. */
  private static final int MOST_SECONDS = 120;

  /* The sum of the sizes is that of the process, else a task manager ends without a message. */
  private static final List<String> TASK_MANAGER =
      List.of(
          "taskmanager.cpu.cores=1.0",
          "taskmanager.memory.task.heap.size=48m",
          "taskmanager.memory.managed.size=8m",
          "taskmanager.memory.framework.heap.size=48m",
          "taskmanager.memory.framework.off-heap.size=32m",
          "taskmanager.memory.task.off-heap.size=0m",
          "taskmanager.memory.jvm-metaspace.size=96m",
          "taskmanager.memory.network.min=24m",
          "taskmanager.memory.network.max=24m",
          "taskmanager.memory.jvm-overhead.min=64m",
          "taskmanager.memory.jvm-overhead.max=64m",
          "taskmanager.memory.process.size=320m");

  private final Path folder;
  private final int restPort;
  private final List<Process> processes = new ArrayList<>();
  private final List<Process> taskManagers = new ArrayList<>();
  private final Thread atExit = new Thread(this::kill);

  private ClusterProcesses(Path folder, int restPort) {
    this.folder = folder;
    this.restPort = restPort;
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** Starts a job manager. The folder keeps the settings and the output of all processes. */
  static ClusterProcesses start(Path folder) throws IOException, InterruptedException {
    int rpcPort = freePort();
    int restPort = freePort();
    Files.writeString(
        Files.createDirectories(folder).resolve("config.yaml"),
        """
        jobmanager.rpc.address: localhost
        jobmanager.rpc.port: %s
        jobmanager.bind-host: localhost
        rest.address: localhost
        rest.bind-address: localhost
        rest.port: %s
        taskmanager.host: localhost
        taskmanager.bind-host: localhost
        heartbeat.interval: 1 s
        heartbeat.timeout: 10 s
        io.tmp.dirs: %s
        """
            .formatted(rpcPort, restPort, Files.createDirectories(folder.resolve("tmp"))));
    ClusterProcesses cluster = new ClusterProcesses(folder, restPort);
    try {
      cluster.launch(
          currentJava(),
          Map.of(),
          "jobmanager",
          List.of(
              "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
              "--configDir",
              folder.toString(),
              "--host",
              "localhost"));
      cluster.await(() -> cluster.slots() == 0);
    } catch (Throwable e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  /** Starts a task manager with one slot. {@return its process} */
  Process addTaskManager() throws IOException {
    return addTaskManager(currentJava(), Map.of());
  }

  /** Starts a task manager with one slot on another Java. {@return its process} */
  Process addTaskManager(Path java, Map<String, String> environment) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
                "--configDir",
                folder.toString()));
    TASK_MANAGER.forEach(setting -> command.addAll(List.of("-D", setting)));
    String name = "taskmanager-" + taskManagers.size();
    // Otherwise the id has the name of the host, which need not resolve.
    command.addAll(List.of("-D", "taskmanager.resource-id=" + name));
    Process process = launch(java, environment, name, command);
    taskManagers.add(process);
    return process;
  }

  /** Waits until all task managers have registered. */
  ClusterProcesses awaitSlots() throws InterruptedException {
    int expected = (int) taskManagers.stream().filter(Process::isAlive).count();
    await(() -> slots() == expected);
    return this;
  }

  int restPort() {
    return restPort;
  }

  private Process launch(
      Path java, Map<String, String> environment, String name, List<String> arguments)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(java.toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx160m"));
    for (String open : List.of("java.util", "java.lang", "java.util.concurrent")) {
      command.add("--add-opens=java.base/" + open + "=ALL-UNNAMED");
    }
    command.add("-Djava.io.tmpdir=" + folder.resolve("tmp"));
    command.addAll(List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-cp", flinkJars()));
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(name + ".log").toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  /** The jars that a distribution of Flink has, without those of Stowage. */
  static String flinkJars() throws IOException {
    Path lib = Path.of(System.getProperty("stowage.root"), "tools/fleet/target/lib");
    try (Stream<Path> jars = Files.list(lib)) {
      return jars.filter(
              jar -> !jar.getFileName().toString().matches("(stowage|picocli|jackson-core-3)-?.*"))
          .map(Path::toString)
          .sorted()
          .collect(Collectors.joining(":"));
    }
  }

  static Path currentJava() {
    return Path.of(System.getProperty("java.home"), "bin/java");
  }

  /** {@return the registered slots, or -1 if the job manager does not answer yet} */
  private long slots() {
    URI address = URI.create("http://localhost:" + restPort + "/overview");
    try (InputStream in = address.toURL().openStream()) {
      String overview = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Long.parseLong(overview.replaceAll(".*\"slots-total\":(\\d+).*", "$1"));
    } catch (IOException e) {
      return -1;
    }
  }

  private void await(BooleanSupplier condition) throws InterruptedException {
    for (int tries = 0; !condition.getAsBoolean(); tries++) {
      if (tries == 10 * MOST_SECONDS || processes.stream().anyMatch(each -> !each.isAlive())) {
        throw new AssertionError("the cluster does not start; see its output: " + output());
      }
      // Process.waitFor is a pause that ends early if the process dies.
      processes.get(0).waitFor(100, TimeUnit.MILLISECONDS);
    }
  }

  String output() {
    try (Stream<Path> files = Files.list(folder)) {
      StringBuilder text = new StringBuilder();
      for (Path file : files.filter(each -> each.toString().endsWith(".log")).sorted().toList()) {
        text.append(file.getFileName()).append(":\n").append(Files.readString(file));
      }
      return text.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void kill() {
    processes.forEach(process -> {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    });
  }

  @Override
  public void close() {
    kill();
    processes.forEach(process -> process.onExit().join());
    Runtime.getRuntime().removeShutdownHook(atExit);
  }
}
