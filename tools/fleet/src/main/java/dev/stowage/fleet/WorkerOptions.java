package dev.stowage.fleet;

import dev.stowage.console.ByteCountConverter;
import dev.stowage.console.SecondsConverter;
import dev.stowage.console.ShortHelp;
import dev.stowage.fleet.flink.SweepPlace;
import dev.stowage.fleet.worker.WorkerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code stowage sweep} for the place and the processes of items. */
final class WorkerOptions {

  private static final Pattern ADDRESS =
      Pattern.compile("(\\[[0-9a-fA-F:.]+\\]|[^:/\\s]+):([0-9]{1,5})");

  @Option(
      names = "--cluster",
      paramLabel = "HOST:PORT",
      description = {
        "Run on a session cluster of Flink with this REST address, instead of",
        "on this machine. All machines need the files under the same paths."
      })
  private Optional<String> cluster = Optional.empty();

  @Option(
      names = "--workers",
      paramLabel = "N",
      converter = CountConverter.class,
      description = {
        "The number of items that run at the same time (default: one for each",
        "processor, or for each slot of the cluster)."
      })
  private Optional<Integer> count = Optional.empty();

  @Option(
      names = "--worker-threads",
      order = ShortHelp.RARE,
      paramLabel = "N",
      converter = CountConverter.class,
      description = "The threads of each item (default: 1).")
  private int threads = 1;

  @Option(
      names = "--worker-heap",
      order = ShortHelp.RARE,
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = {
        "The largest heap of each worker, such as 2GiB (default: all workers",
        "together have half of the memory)."
      })
  private Optional<Long> heapBytes = Optional.empty();

  @Option(
      names = "--worker-java",
      order = ShortHelp.RARE,
      paramLabel = "PATH",
      description = {
        "The folder of a Java 25 or newer for the workers (default: that of",
        "STOWAGE_JAVA_HOME, the Java that runs the sweep, or JAVA_HOME)."
      })
  private Optional<String> java = Optional.empty();

  @Option(
      names = "--item-time-limit",
      order = ShortHelp.RARE,
      paramLabel = "SECONDS",
      converter = SecondsConverter.class,
      description = {
        "End an item that takes longer, and report it as failed (default: 600).",
        "A lower limit for searches is --time-limit of the command."
      })
  private Optional<Duration> itemTimeLimit = Optional.empty();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  boolean isCluster() {
    return cluster.isPresent();
  }

  /** {@return the place where the items run} */
  SweepPlace place() {
    OptionalInt slots = count.map(OptionalInt::of).orElse(OptionalInt.empty());
    if (cluster.isEmpty()) {
      return new SweepPlace.Default(slots);
    }
    Matcher address = ADDRESS.matcher(cluster.get());
    if (!address.matches() || Integer.parseInt(address.group(2)) > 65_535) {
      throw new ParameterException(
          spec.commandLine(),
          "--cluster is '"
              + cluster.get()
              + "', expected the REST address of a cluster, such as localhost:8081");
    }
    return new SweepPlace.Cluster(
        address.group(1),
        Integer.parseInt(address.group(2)),
        Path.of(System.getProperty("stowage.fleet.jar", "stowage-fleet.jar")),
        slots);
  }

  /** {@return the settings of a worker on this machine} */
  WorkerSettings clientSettings() {
    WorkerSettings settings = withCheckout(WorkerSettings.defaults());
    return java.isPresent() ? settings.withJava(java.get()) : settings;
  }

  /** {@return the settings of the workers; those of a cluster have modules of their own} */
  WorkerSettings settings(Optional<String> cache) {
    WorkerSettings settings =
        WorkerSettings.defaults()
            .withThreads(threads)
            .withFolder(Path.of("").toAbsolutePath().toString());
    settings = isCluster() ? settings : withCheckout(settings);
    settings = heapBytes.isPresent() ? settings.withHeapBytes(heapBytes.get()) : settings;
    settings = java.isPresent() ? settings.withJava(java.get()) : settings;
    settings =
        cache.isPresent()
            ? settings.withCache(Path.of(cache.get()).toAbsolutePath().toString())
            : settings;
    return itemTimeLimit.isPresent() ? settings.withItemTimeLimit(itemTimeLimit.get()) : settings;
  }

  /** {@return settings with the files of the checkout, which the script stowage names} */
  private static WorkerSettings withCheckout(WorkerSettings settings) {
    String modules = System.getProperty("stowage.modules", "");
    if (modules.isEmpty()) {
      return settings;
    }
    return settings
        .withModules(modules)
        .withLoadedClasses(System.getProperty("stowage.loaded-classes", ""));
  }
}
