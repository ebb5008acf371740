package dev.stowage.fleet.flink;

import java.nio.file.Path;
import java.util.OptionalInt;

/** The place where the items of a sweep run. */
public sealed interface SweepPlace {

  /** {@return the number of subtasks, or empty for one for each processor or slot} */
  OptionalInt slotCount();

  /**
   * The place that the caller of the main method has chosen: the cluster of {@code flink run}, or
   * this process.
   */
  record Default(OptionalInt slotCount) implements SweepPlace {}

  /**
   * A session cluster.
   *
   * @param host the host of its REST endpoint
   * @param port the port of its REST endpoint
   * @param jar the jar to submit, {@code stowage-fleet.jar}
   */
  record Cluster(String host, int port, Path jar, OptionalInt slotCount) implements SweepPlace {}
}
