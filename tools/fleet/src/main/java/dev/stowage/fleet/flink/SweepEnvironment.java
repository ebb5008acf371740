package dev.stowage.fleet.flink;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Flink's environment for the place of a sweep, with the settings of all sweeps. */
final class SweepEnvironment {

  /**
   * The restarts of each subtask on average. While there is no task manager, Flink restarts every
   * subtask each five minutes, so that a sweep waits for days.
   */
  private static final int MOST_RESTARTS = 1000;

  private SweepEnvironment() {}

  /**
   * Creates the environment, whose parallelism is the number of subtasks of the sweep.
   *
   * @param temporary a folder for Flink's temporary files in this process
   * @throws SweepException if the cluster does not answer or has no slots
   */
  static StreamExecutionEnvironment of(SweepPlace place, Path temporary) {
    StreamExecutionEnvironment environment = environment(place, temporary);
    environment.setParallelism(place.slotCount().orElseGet(() -> slots(environment)));
    Configuration restarts = new Configuration();
    restarts.set(
        RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS,
        (int) Math.min(Integer.MAX_VALUE, (long) MOST_RESTARTS * environment.getParallelism()));
    environment.configure(restarts);
    return environment;
  }

  private static StreamExecutionEnvironment environment(SweepPlace place, Path temporary) {
    if (place instanceof SweepPlace.Cluster cluster) {
      return StreamExecutionEnvironment.createRemoteEnvironment(
          cluster.host(), cluster.port(), settings(), cluster.jar().toString());
    }
    // On a cluster, these settings of task managers have no effect.
    Configuration settings = settings();
    // As texts: MemorySize has digits of the default locale, which Flink cannot read.
    settings.setString(TaskManagerOptions.NETWORK_MEMORY_MIN.key(), "8 mb");
    settings.setString(TaskManagerOptions.NETWORK_MEMORY_MAX.key(), "8 mb");
    settings.setString(TaskManagerOptions.MANAGED_MEMORY_SIZE.key(), "1 mb");
    // Flink's server of files would listen on all interfaces.
    settings.set(JobManagerOptions.BIND_HOST, "localhost");
    settings.set(CoreOptions.TMP_DIRS, temporary.toString());
    settings.set(WebOptions.UPLOAD_DIR, temporary.toString());
    return StreamExecutionEnvironment.getExecutionEnvironment(settings);
  }

  private static Configuration settings() {
    Configuration settings = new Configuration();
    settings.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
    // Batches are immutable, so that Flink need not copy them.
    settings.set(PipelineOptions.OBJECT_REUSE, true);
    settings.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofSeconds(1));
    return settings;
  }

  private static int slots(StreamExecutionEnvironment environment) {
    if (environment instanceof LocalStreamEnvironment) {
      return Runtime.getRuntime().availableProcessors();
    }
    // The option -p of `flink run`.
    if (environment.getParallelism() > 1) {
      return environment.getParallelism();
    }
    String host = environment.getConfiguration().get(RestOptions.ADDRESS);
    int port = environment.getConfiguration().get(RestOptions.PORT);
    int slots = slots(host, port);
    if (slots == 0) {
      throw new SweepException(
          "the cluster " + host + ":" + port + " has no slots: start at least one task manager");
    }
    return slots;
  }

  private static int slots(String host, int port) {
    try (InputStream in =
        URI.create("http://" + host + ":" + port + "/overview").toURL().openStream()) {
      String overview = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Math.toIntExact(JsonFields.integer(overview, "slots-total"));
    } catch (IOException | IllegalArgumentException e) {
      throw new SweepException(
          String.format(
              Locale.ROOT,
              "the cluster %s:%d does not answer (%s): expected the address of the REST endpoint of a Flink job manager",
              host,
              port,
              e.getMessage()),
          e);
    }
  }
}
