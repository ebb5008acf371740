package dev.stowage.fleet.job;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.BatchExecutionOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.FileUtils;
import tools.jackson.core.JsonParser;

/**
 * A sweep on Flink, from its submission to its end.
 *
 * <p>One thread calls {@link #run}; any thread may call {@link #cancel}.
 */
public final class FlinkSweep {

  /** The failures after which a sweep ends. Lost batches of one task manager are one failure. */
  private static final int MOST_FAILURES = 10;

  private static final long PROGRESS_MILLIS = 500;
  private static final long CANCEL_SECONDS = 30;

  private final SweepTask task;
  private final Optional<InetSocketAddress> cluster;
  private final CompletableFuture<Void> cancelled = new CompletableFuture<>();
  private final SortedSet<Integer> exitCodes = new TreeSet<>();

  /**
   * Creates a sweep.
   *
   * @param task the command
   * @param cluster the REST address of a session cluster; without it, the sweep runs in this
   *     process and its children
   */
  public FlinkSweep(SweepTask task, Optional<InetSocketAddress> cluster) {
    this.task = task;
    this.cluster = cluster;
  }

  /** Ends the sweep early. The results of finished batches stay. */
  public void cancel() {
    cancelled.complete(null);
  }

  /** {@return the gravest exit code of a process, after a complete run} */
  public int exitCode() {
    return exitCodes.tailSet(1).stream().findFirst().orElse(0);
  }

  /**
   * Runs the command on all batches.
   *
   * @param batches the batches, at least one
   * @param progress receives the number of finished files from time to time, in this thread
   * @return the reason if the sweep ended early
   */
  public Optional<String> run(List<List<String>> batches, IntConsumer progress)
      throws IOException, InterruptedException {
    Path temporary = Files.createTempDirectory("stowage-flink-");
    String start =
        "the sweep cannot start"
            + cluster.map(it -> " on " + it.getHostString() + ":" + it.getPort()).orElse("")
            + ": ";
    try {
      JobClient job = submit(batches, temporary);
      start = "";
      CompletableFuture<JobExecutionResult> result = job.getJobExecutionResult();
      while (!result.isDone() && !cancelled.isDone()) {
        await(CompletableFuture.anyOf(result, cancelled), PROGRESS_MILLIS);
        progress.accept(fileCount(job));
      }
      if (!result.isDone()) {
        await(
            CompletableFuture.allOf(job.cancel(), result),
            TimeUnit.SECONDS.toMillis(CANCEL_SECONDS));
        return Optional.of("interrupted");
      }
      for (String counter : result.get().getAllAccumulatorResults().keySet()) {
        if (counter.startsWith(BatchFunction.EXIT)) {
          exitCodes.add(Integer.valueOf(counter.substring(BatchFunction.EXIT.length())));
        }
      }
      return Optional.empty();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) { // Flink declares no other type.
      return Optional.of(start + RootMessage.of(e));
    } finally {
      FileUtils.deleteDirectoryQuietly(temporary.toFile());
    }
  }

  private static void await(CompletableFuture<?> end, long millis) throws InterruptedException {
    try {
      end.get(millis, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // The caller looks at the result.
    }
  }

  private static int fileCount(JobClient job) throws InterruptedException {
    try {
      Object count = job.getAccumulators().get().get(BatchFunction.FILES);
      return count instanceof Integer files ? files : 0;
    } catch (ExecutionException | IllegalStateException e) {
      // The job has ended.
      return 0;
    }
  }

  private JobClient submit(List<List<String>> batches, Path temporary) throws Exception {
    StreamExecutionEnvironment environment = environment(temporary);
    environment.setParallelism(batches.size());
    environment
        .fromSource(
            new NumberSequenceSource(0, batches.size() - 1),
            WatermarkStrategy.noWatermarks(),
            "batches of files")
        .map(new BatchFunction(task, batches))
        .name("stowage " + task.command())
        .sinkTo(new DiscardingSink<>());
    return environment.executeAsync("stowage sweep --run " + task.command());
  }

  private StreamExecutionEnvironment environment(Path temporary) throws URISyntaxException {
    Configuration settings = new Configuration();
    settings.set(CoreOptions.TMP_DIRS, temporary.toString());
    settings.set(WebOptions.UPLOAD_DIR, temporary.toString());
    settings.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
    settings.set(BatchExecutionOptions.ADAPTIVE_AUTO_PARALLELISM_ENABLED, false);
    settings.set(PipelineOptions.OBJECT_REUSE, true);
    settings.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
    settings.set(
        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF,
        Duration.ofSeconds(10));
    settings.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_ATTEMPTS, MOST_FAILURES);
    if (cluster.isPresent()) {
      settings.set(RestOptions.RETRY_MAX_ATTEMPTS, 10);
      settings.set(RestOptions.RETRY_DELAY, Duration.ofSeconds(1));
      return StreamExecutionEnvironment.createRemoteEnvironment(
          cluster.get().getHostString(), cluster.get().getPort(), settings, jars());
    }
    settings.set(TaskManagerOptions.NUM_TASK_SLOTS, Runtime.getRuntime().availableProcessors());
    // As texts: MemorySize has digits of the default locale, which Flink cannot read.
    settings.setString(TaskManagerOptions.NETWORK_MEMORY_MIN.key(), "8 mb");
    settings.setString(TaskManagerOptions.NETWORK_MEMORY_MAX.key(), "8 mb");
    settings.setString(TaskManagerOptions.MANAGED_MEMORY_SIZE.key(), "1 mb");
    // Flink's server of files would listen on all interfaces.
    settings.set(JobManagerOptions.BIND_HOST, "localhost");
    return StreamExecutionEnvironment.createLocalEnvironment(1, settings);
  }

  /** {@return the jars that task managers need beside Flink: this module and Jackson} */
  private static String[] jars() throws URISyntaxException {
    return new String[] {jar(FlinkSweep.class), jar(JsonParser.class)};
  }

  private static String jar(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }
}
